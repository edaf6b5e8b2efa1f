import { UserError } from 'n8n-workflow';

/** @param advice what to do next; n8n shows it as the description below the message */
export function createUserError(message: string, advice: string): UserError {
	return new UserError(message, { description: advice });
}
