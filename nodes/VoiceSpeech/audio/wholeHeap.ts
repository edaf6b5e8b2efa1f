let collections = 0;

/** V8 clears what is registered here and referred to nowhere, but not when it looks only at its young objects. */
const witness = new FinalizationRegistry<undefined>(() => {
	collections++;
	witness.register({}, undefined);
});

witness.register({}, undefined);

/** @returns how often V8 went through all of its heap since this was loaded; those of the current tick come later */
export function wholeHeapCollections(): number {
	return collections;
}
