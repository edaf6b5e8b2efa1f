/** The unit tests of the node and the credential, which do not use n8n's engine. */
export const unitTests =
	'test/{audio,call,credentials,descriptions,errors,n8n,response,run,service,streams,text}/**/*.test.mts';
