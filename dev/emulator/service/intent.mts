import { recognizeIntent } from '../text/intent.mts';
import { createUndocumentedService } from './undocumented.mts';

/** POST /ai/intent. */
export const intent = createUndocumentedService(
	1,
	'`intent`, `confidence`, `matches`: the intent whose English words occur most often: cancel, complain, pay, book, order, call_back, get_help, greet (the first wins if equal); otherwise ask_question if there is a question mark, or make_statement',
	recognizeIntent,
);
