import { judgeSentiment } from '../text/sentiment.mts';
import { createUndocumentedService } from './undocumented.mts';

/** POST /ai/sentiment. */
export const sentiment = createUndocumentedService(
	1,
	'`sentiment`, `score`, `positive`, `negative`: the library `sentiment` (AFINN, an English word list). The score is the mean per word divided by 5; up to ±0.05 before that division it is neutral',
	judgeSentiment,
);
