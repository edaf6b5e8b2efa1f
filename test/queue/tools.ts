import type { Ending, Execution, Rest } from '../full/tools';

/** The parts of hosts/queue/ and load/ that the tests use, as their doc comments describe them. */

interface Host {
	url: string;
	pid: number;
	logFile: string;
	ended: Promise<void>;
}

interface Server {
	pid(): number;
	start(): Promise<void>;
	stop(): Promise<void>;
}

export interface Cluster {
	main: Host;
	webhook: Host;
	workers: Host[];
	addWorker(): Promise<Host>;
	rest: Rest;
	postgres: Server & { query(sql: string): Promise<Array<Record<string, unknown>>> };
	redis: Server;
	stop(): Promise<void>;
}

export interface Service {
	baseUrl: string;
	apiKey: string;
	calls(): Promise<Array<{ recording: string; operation: string; status: number }>>;
	forget(): Promise<void>;
	setSettings(settings: object): Promise<void>;
	credits(): Promise<number>;
	stop(): Promise<void>;
}

export interface Submission {
	recording: string;
	accepted: boolean;
	answer: string;
}

export interface Row {
	id: string;
	status: string;
	recording: string;
}

export interface Facts {
	accepted: number;
	executions: number;
	statuses: Record<string, number>;
	lost: string[];
	doubled: string[];
	startedAgain: string[];
	paidTwice: string[];
	reportedOnly: string[];
	mixedUp: object[];
	calls: number;
	byWorker: number[];
}

export interface Sample {
	memory: number;
	handles: number;
	processes: number;
}

export interface Watch {
	stop(): Map<string, Sample[]>;
}

export interface StartOptions {
	folder: string;
	binaryData?: 'database' | 'folder';
	environment?: Record<string, string>;
}

export interface Tools {
	startCluster(options: StartOptions): Promise<Cluster>;
	startService(): Promise<Service>;
	publishWorkflow(
		rest: Rest,
		service: Service,
		webhookUrl: string,
	): Promise<{ id: string; formUrl: string; credential: { id: string; name: string } }>;
	submitRecordings(
		formUrl: string,
		how: {
			run: string;
			count: number;
			inFlight?: number;
			everyMs?: number;
			signal?: AbortSignal;
		},
	): Promise<Submission[]>;
	readRows(cluster: Cluster, run: string): Promise<Row[]>;
	endedRows(cluster: Cluster, run: string, count: number, timeoutMs: number): Promise<Row[]>;
	factsOf(run: {
		cluster: Cluster;
		service: Service;
		submissions: Submission[];
		rows: Row[];
	}): Promise<Facts>;
	makeRecording(run: string, number: number): { name: string; text: string; bytes: Buffer };
	submitForm(url: string, values: Record<string, File>, timeoutMs?: number): Promise<Ending>;
	finishedExecution(rest: Rest, id: string): Promise<Execution>;
	putWorkflow(rest: Rest, workflow: object): Promise<{ id: string; versionId: string }>;
	activate(rest: Rest, workflow: { id: string; versionId: string }): Promise<void>;
	readExamples(): Promise<Array<{ name: string; workflow: object }>>;
	withChoices(workflow: object, choice: { credential: object; files: string }): object;
	watchProcesses(processes: Record<string, number>, everyMs?: number): Watch;
	sampleAll(processes: Record<string, number>): Map<string, Sample>;
	liveProbe(folder: string): Record<string, string>;
	liveMemory(folder: string, pid: number): Promise<number>;
	thirds(samples: Sample[]): { first: Sample; middle: Sample; last: Sample };
}
