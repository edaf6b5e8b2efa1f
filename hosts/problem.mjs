/**
 * Something that the person at the keyboard can act on: its message is one or two whole sentences that
 * say what happened and what to do. Everything else that is thrown is a fault of this code.
 */
export class Problem extends Error {}
