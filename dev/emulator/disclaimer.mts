/** What a person must know before believing a result. The emulator and the demo print it. */
export const disclaimer = `The emulator only imitates the service, and understands no speech. Speech to text returns the words of
WAV files that contain them as metadata: those of its own text to speech, and the demo's recordings
(not its voice sample). For any other recording, it makes up a sentence with the format and the length.
A cloned voice does not sound like its sample.`;
