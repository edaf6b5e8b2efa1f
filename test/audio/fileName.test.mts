import { chooseFileName } from '../../nodes/VoiceSpeech/audio/fileName.ts';
import { sniffHead } from '../../nodes/VoiceSpeech/audio/format.ts';
import { maxFileNameBytes } from '../../nodes/VoiceSpeech/limits.ts';
import { createM4a, createWav } from '../support/media/recordings.mts';

const names: Array<{ what: string; name: string; expected: string }> = [
	{ what: 'as it is', name: 'call.wav', expected: 'call.wav' },
	{ what: 'another extension of WAV', name: 'call.WAVE', expected: 'call.wave' },
	{ what: 'a wrong extension', name: 'call.mp3', expected: 'call.wav' },
	{ what: 'no extension', name: 'call', expected: 'call.wav' },
	{ what: 'an unknown extension', name: 'call.2026', expected: 'call.2026.wav' },
	{ what: 'two extensions', name: 'call.wav.mp3', expected: 'call.wav.wav' },
	{ what: 'an extension alone', name: '.wav', expected: 'recording.wav' },
	{ what: 'an extension without a dot', name: 'mp3', expected: 'mp3.wav' },
	{ what: 'extra dots', name: '...call. . .wav', expected: 'call.wav' },
	{ what: 'no name', name: '', expected: 'recording.wav' },
	{ what: 'only white space', name: ' \t ', expected: 'recording.wav' },
	{ what: 'only dots', name: '...', expected: 'recording.wav' },
	{
		what: 'letters of many scripts',
		name: 'Grüße 通話 Звонок 👋🏽.wav',
		expected: 'Grüße 通話 Звонок 👋🏽.wav',
	},
	{ what: 'quotes', name: `my "best" 'call'.wav`, expected: `my _best_ 'call'.wav` },
	{ what: 'line breaks', name: 'call\r\nX-Evil: 1\r\n\r\n.wav', expected: 'callX-Evil_ 1.wav' },
	{ what: 'other line breaks', name: 'a\u0085b\u2028c\u2029d.wav', expected: 'abcd.wav' },
	{ what: 'control characters', name: 'a\u0000b\u001b[31mc\u007f.wav', expected: 'ab[31mc.wav' },
	{ what: 'a path of Unix', name: '../../etc/passwd.wav', expected: 'passwd.wav' },
	{ what: 'a path of both', name: 'C:\\calls/me\\call.wav', expected: 'call.wav' },
	{ what: 'a path without a name', name: 'calls/', expected: 'recording.wav' },
	{ what: 'a hidden file', name: '.hidden.wav', expected: 'hidden.wav' },
	{ what: 'a mark of direction', name: 'call\u202evaw.exe', expected: 'callvaw.wav' },
	{
		what: 'other marks of direction',
		name: '\u2066call\u2069\u200f\u200e\u061c.wav',
		expected: 'call.wav',
	},
	{ what: 'a byte order mark', name: '\ufeffcall.wav', expected: 'call.wav' },
	{
		what: 'characters that Windows forbids',
		name: 'a:b*c?d<e>f|g.wav',
		expected: 'a_b_c_d_e_f_g.wav',
	},
	{ what: 'separators of a header', name: 'a;b=c%20d&e.wav', expected: 'a;b=c%20d&e.wav' },
	{ what: 'half a character', name: 'call\ud83d.wav', expected: 'call\ufffd.wav' },
	{
		what: 'too many characters',
		name: `${'x'.repeat(maxFileNameBytes + 1)}.wav`,
		expected: `${'x'.repeat(maxFileNameBytes)}.wav`,
	},
	{
		what: 'too many characters of four bytes',
		name: `${'👋'.repeat(maxFileNameBytes)}.wav`,
		expected: `${'👋'.repeat(Math.floor(maxFileNameBytes / 4))}.wav`,
	},
	{ what: 'white space around', name: '  call .wav ', expected: 'call.wav' },
];

const format = sniffHead(createWav());

it.each(names)('names a recording in WAV: $what', ({ name, expected }) => {
	const safe = chooseFileName(name, format, 'recording');
	expect(safe).toBe(expected);
	expect(chooseFileName(safe, format, 'recording')).toBe(safe);
});

it.each(['bin', 'dat', 'data', 'tmp', 'blob', 'file', 'octet-stream', 'bak'])(
	'replaces the extension %s, which belongs to no format',
	(extension) => expect(chooseFileName(`call.${extension}`, format, '')).toBe('call.wav'),
);

it.each(['m4a', 'mp4', '3gp'])('keeps the extension %s of M4A', (extension) => {
	expect(chooseFileName(`call.${extension}`, sniffHead(createM4a()), '')).toBe(`call.${extension}`);
});

it.each(['3ga', '3gpp', 'm4r', 'qta', 'waptt'])(
	'replaces the extension %s of phones, which few other programs know',
	(extension) => {
		const name = `Voice 001.${extension.toUpperCase()}`;
		expect(chooseFileName(name, sniffHead(createM4a()), '')).toBe('Voice 001.m4a');
	},
);

it.each([
	['call.3ga', 'call.3ga'],
	['call.mp3', 'call.mp3'],
	['call.mp3', 'call.MP3 '],
	['call.xyz', 'call.xyz'],
	['call.mp3.xyz', 'call.mp3.xyz'],
	['mp3', 'mp3'],
	['call', 'call.bin'],
	['call', 'call'],
	['audio', ''],
	['audio.mp3', '.mp3'],
])('chooses the name "%s" for a file of unknown format with the name "%s"', (expected, name) => {
	expect(chooseFileName(name, undefined, 'audio')).toBe(expected);
});
