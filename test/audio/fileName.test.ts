import { fileNameFor } from '../../nodes/VoiceSpeech/audio/fileName';
import { formatOf } from '../../nodes/VoiceSpeech/audio/format';
import { m4a, wav } from '../support/recordings';

const names: Array<[what: string, name: string, expected: string]> = [
	['as it is', 'call.wav', 'call.wav'],
	['another extension of WAV', 'call.WAVE', 'call.wave'],
	['a wrong extension', 'call.mp3', 'call.wav'],
	['no extension', 'call', 'call.wav'],
	['an unknown extension', 'call.2026', 'call.2026.wav'],
	['two extensions', 'call.wav.mp3', 'call.wav.wav'],
	['an extension alone', '.wav', 'recording.wav'],
	['an extension without a dot', 'mp3', 'mp3.wav'],
	['extra dots', '...call. . .wav', 'call.wav'],
	['no name', '', 'recording.wav'],
	['only white space', ' \t ', 'recording.wav'],
	['only dots', '...', 'recording.wav'],
	['letters of many scripts', 'Grüße 通話 Звонок 👋🏽.wav', 'Grüße 通話 Звонок 👋🏽.wav'],
	['quotes', `my "best" 'call'.wav`, `my _best_ 'call'.wav`],
	['line breaks', 'call\r\nX-Evil: 1\r\n\r\n.wav', 'callX-Evil_ 1.wav'],
	['other line breaks', 'a\u0085b\u2028c\u2029d.wav', 'abcd.wav'],
	['control characters', 'a\u0000b\u001b[31mc\u007f.wav', 'ab[31mc.wav'],
	['a path of Unix', '../../etc/passwd.wav', 'passwd.wav'],
	['a path of both', 'C:\\calls/me\\call.wav', 'call.wav'],
	['a path without a name', 'calls/', 'recording.wav'],
	['a hidden file', '.hidden.wav', 'hidden.wav'],
	['a mark of direction', 'call\u202evaw.exe', 'callvaw.exe.wav'],
	['other marks of direction', '\u2066call\u2069\u200f\u200e\u061c.wav', 'call.wav'],
	['a byte order mark', '\ufeffcall.wav', 'call.wav'],
	['characters that Windows forbids', 'a:b*c?d<e>f|g.wav', 'a_b_c_d_e_f_g.wav'],
	['separators of a header', 'a;b=c%20d&e.wav', 'a;b=c%20d&e.wav'],
	['half a character', 'call\ud83d.wav', 'call\ufffd.wav'],
	['300 characters', `${'x'.repeat(300)}.wav`, `${'x'.repeat(180)}.wav`],
	['300 characters of four bytes', `${'👋'.repeat(300)}.wav`, `${'👋'.repeat(45)}.wav`],
	['white space around', '  call .wav ', 'call.wav'],
];

const format = formatOf(wav());

it.each(names)('the name of a recording in WAV: %s', (_what, name, expected) => {
	const safe = fileNameFor(name, format, 'recording');
	expect(safe).toBe(expected);
	expect(fileNameFor(safe, format, 'recording')).toBe(safe);
});

it.each(['bin', 'dat', 'data', 'tmp', 'blob', 'file', 'octet-stream', 'bak'])(
	'the extension %s of no format is replaced',
	(extension) => expect(fileNameFor(`call.${extension}`, format, '')).toBe('call.wav'),
);

it.each(['m4a', 'mp4', '3gp'])('M4A keeps its extension %s', (extension) => {
	expect(fileNameFor(`call.${extension}`, formatOf(m4a()), '')).toBe(`call.${extension}`);
});

it.each([
	['call.mp3', 'call.mp3'],
	['call.MP3 ', 'call.mp3'],
	['call.xyz', 'call.xyz'],
	['call.mp3.xyz', 'call.mp3.xyz'],
	['mp3', 'mp3'],
	['call.bin', 'call'],
	['call', 'call'],
	['', 'audio'],
	['.mp3', 'audio.mp3'],
])('the name %j of an unknown format becomes %j', (name, expected) => {
	expect(fileNameFor(name, undefined, 'audio')).toBe(expected);
});
