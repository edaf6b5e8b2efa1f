/** Called before each step that takes long, with a title such as "Building the package (usually 20 seconds)". */
export type OnStep = (title: string) => void;

export interface StepOptions {
	onStep?: OnStep;
	/** Ends the step. */
	signal?: AbortSignal;
}

export const printStep: OnStep = (title) => console.log(`  ${title} ...`);
