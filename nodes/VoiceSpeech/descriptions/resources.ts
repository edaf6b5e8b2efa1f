/** The resources of the node, in the order in which people need them. */
export const resources = [
	{
		name: 'Speech',
		value: 'speech',
		description: 'Convert speech to text, and text to speech',
		defaultOperation: 'speechToText',
	},
	{
		name: 'Voice',
		value: 'voice',
		description: 'Clone voices for Text to Speech',
		defaultOperation: 'clone',
	},
	{
		name: 'Language',
		value: 'language',
		description: 'Detect language, analyze sentiment, recognize intent',
		defaultOperation: 'analyzeSentiment',
	},
	{
		name: 'Phone Call',
		value: 'phoneCall',
		description: 'Post-call analytics, answering machine detection',
		defaultOperation: 'analyzeCall',
	},
] as const;

/**
 * An entry of the menu 'Resource'. Its default operation never changes, because n8n does not save defaults in workflows.
 */
export type Resource = (typeof resources)[number];
