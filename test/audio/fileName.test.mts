import { chooseFileName } from '../../nodes/VoiceSpeech/audio/fileName.ts';
import { getFormat } from '../../nodes/VoiceSpeech/audio/format.ts';
import { maxFileNameBytes } from '../../nodes/VoiceSpeech/limits.ts';

const format = getFormat('WAV');
const createName = (character: string, count: number) => `${character.repeat(count)}.wav`;
const most = maxFileNameBytes;
const mostEmojis = Math.floor((maxFileNameBytes - 1) / 4);

it.each<[what: string, name: string, expected: string]>([
	['as it is', 'call.wav', 'call.wav'],
	['another extension of WAV', 'call.WAVE', 'call.wave'],
	['a wrong extension', 'call.mp3', 'call.wav'],
	['no extension', 'call', 'call.wav'],
	['an unknown extension', 'call.2026', 'call.2026.wav'],
	['two extensions', 'call.wav.mp3', 'call.wav.wav'],
	['an extension alone', '.wav', 'recording.wav'],
	['an extension without a dot', 'mp3', 'mp3.wav'],
	['extra dots', '...call. . .wav', 'call.wav'],
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
	['a mark of direction', 'call\u202evaw.exe', 'callvaw.wav'],
	['other marks of direction', '\u2066call\u2069\u200f\u200e\u061c.wav', 'call.wav'],
	['a byte order mark', '\ufeffcall.wav', 'call.wav'],
	['characters that Windows forbids', 'a:b*c?d<e>f|g.wav', 'a_b_c_d_e_f_g.wav'],
	['separators of a header', 'a;b=c%20d&e.wav', 'a;b=c%20d&e.wav'],
	['half a character', 'call\ud83d.wav', 'call\ufffd.wav'],
	['too many characters', createName('x', most + 1), createName('x', most)],
	['an end in a character', `x${createName('👋', most)}`, `x${createName('👋', mostEmojis)}`],
	['white space around', '  call .wav ', 'call.wav'],
])('names a recording in WAV: %s', (_, name, expected) => {
	const safe = chooseFileName(name, format, 'recording');
	expect(safe).toBe(expected);
	expect(chooseFileName(safe, format, 'recording')).toBe(safe);
});

it.each(['bin', 'dat', 'data', 'tmp', 'blob', 'file', 'octet-stream', 'bak'])(
	'replaces the extension %s, which belongs to no format',
	(extension) => expect(chooseFileName(`call.${extension}`, format, '')).toBe('call.wav'),
);

it.each([
	['call.m4a', 'call.m4a'],
	['call.mp4', 'call.mp4'],
	['call.3gp', 'call.3gp'],
	// Extensions of phones, which few other programs know.
	...['3ga', '3gpp', 'm4r', 'qta', 'waptt'].map((extension) => ['call.m4a', `call.${extension}`]),
	['call.m4a', 'call.3GPP'],
])('chooses the name "%s" for M4A with the name "%s"', (expected, name) => {
	expect(chooseFileName(name, getFormat('M4A'), '')).toBe(expected);
});

it.each([
	['call.3ga', 'call.3ga'],
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
