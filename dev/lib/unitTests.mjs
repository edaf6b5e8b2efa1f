/** The unit tests of the node and the credential, which do not use n8n's engine. */
export const unitTests =
	'test/{async,audio,call,credentials,descriptions,errors,n8n,response,run,text}/**/*.test.mts';
