/**
 * Called before each step that takes long.
 * @param title such as "Building the package"
 * @param usually how long it usually takes, such as "20 seconds"
 */
export type OnStep = (title: string, usually?: string) => void;

/** Prints each step. */
export const printStep: OnStep = (title, usually) => {
	console.log(`  ${title}${usually ? ` (usually ${usually})` : ''} ...`);
};
