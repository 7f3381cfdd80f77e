import type {
  AccountRow,
  ChangeAccountBody,
  CountReplayableDeliveriesResponse,
  CountSecretsResponse,
  GetAnyDeliveryResponse,
  GetDeploymentResponse,
  IssuedKey,
  IssueSigningSecretResponse,
  ListAccountsQuery,
  ListAllCapturesQuery,
  ListAllCapturesResponse,
  ListAllDeliveriesQuery,
  ListCleanupJobsResponse,
  ListProcessesResponse,
  ReadActivityQuery,
  ReadActivityResponse,
  ReadQueuesResponse,
  ReencryptSecretsBody,
  ReencryptSecretsResponse,
  ReplayDeliveriesBody,
  ReplayDeliveriesResponse,
  RetryAnyDeliveryResponse,
} from './generated/api-types.ts';
import { type Listing, listingOf } from './http/listing.ts';
import { type ConnectionOptions, type RequestOptions, Transport } from './http/transport.ts';

export type OperatorDelivery = RetryAnyDeliveryResponse;
export type OperatorCapture = ListAllCapturesResponse['captures'][number];

/** A client for operators of the service. */
export class OperatorClient {
  readonly #transport: Transport;

  constructor({ operatorKey, ...connection }: ConnectionOptions & { operatorKey: string }) {
    this.#transport = new Transport(connection, operatorKey);
  }

  accounts(query?: ListAccountsQuery, request?: RequestOptions): Listing<AccountRow> {
    return listingOf(this.#transport, '/api/operator/accounts', 'accounts', query, request);
  }

  /** Changes an account's plan, suspends or resumes it. */
  changeAccount(accountId: string, change: ChangeAccountBody, request?: RequestOptions): Promise<AccountRow> {
    const call = { method: 'PATCH', path: accountPath(accountId), body: change, repeat: 'safe' } as const;
    return this.#transport.json(call, request);
  }

  /** Deletes an account with its keys, files and records. */
  deleteAccount(accountId: string, request?: RequestOptions): Promise<void> {
    return this.#transport.delete(accountPath(accountId), request);
  }

  /** Issues another key, which is shown only once. */
  issueKey(accountId: string, request?: RequestOptions): Promise<IssuedKey> {
    return this.#once(`${accountPath(accountId)}/keys`, undefined, request);
  }

  /** Issues a new signing secret, which is shown only once. The old secret also signs for 24 hours. */
  issueSigningSecret(accountId: string, request?: RequestOptions): Promise<IssueSigningSecretResponse> {
    return this.#once(`${accountPath(accountId)}/signing-secret`, undefined, request);
  }

  /** Lists captures of all accounts, without their files and options. */
  captures(filter?: ListAllCapturesQuery, request?: RequestOptions): Listing<OperatorCapture> {
    return listingOf(this.#transport, '/api/operator/captures', 'captures', filter, request);
  }

  /** Lists deliveries of all accounts. API profile B. */
  deliveries(filter?: ListAllDeliveriesQuery, request?: RequestOptions): Listing<OperatorDelivery> {
    return listingOf(this.#transport, '/api/operator/deliveries', 'deliveries', filter, request);
  }

  /** Returns a delivery with its payload and its attempts. API profile B. */
  delivery(deliveryId: string, request?: RequestOptions): Promise<GetAnyDeliveryResponse> {
    return this.#get(deliveryPath(deliveryId), request);
  }

  /** Sends a delivery again. API profile B. */
  retryDelivery(deliveryId: string, request?: RequestOptions): Promise<OperatorDelivery> {
    return this.#once(`${deliveryPath(deliveryId)}/retry`, undefined, request);
  }

  /** Counts the deliveries that `replayDeliveries` would send again. API profile B. */
  countReplayable(which: ReplayDeliveriesBody, request?: RequestOptions): Promise<CountReplayableDeliveriesResponse> {
    return this.#get('/api/operator/deliveries/replay', request, which);
  }

  /** Sends many deliveries again. API profile B. */
  replayDeliveries(which: ReplayDeliveriesBody, request?: RequestOptions): Promise<ReplayDeliveriesResponse> {
    return this.#once('/api/operator/deliveries/replay', which, request);
  }

  /** Counts the stored secrets by the key that they need. */
  secrets(request?: RequestOptions): Promise<CountSecretsResponse> {
    return this.#get('/api/operator/secrets', request);
  }

  /** Runs one step of a rotation of `SECRET_KEY`. The step may be repeated. */
  reencryptSecrets(step: ReencryptSecretsBody = {}, request?: RequestOptions): Promise<ReencryptSecretsResponse> {
    const call = { method: 'POST', path: '/api/operator/secrets/reencrypt', body: step, repeat: 'safe' } as const;
    return this.#transport.json(call, request);
  }

  /** Returns the open work. */
  async queues(request?: RequestOptions): Promise<ReadQueuesResponse['queues']> {
    return (await this.#get<ReadQueuesResponse>('/api/operator/queues', request)).queues;
  }

  /** Lists gateways, workers and dispatchers, as each reports itself. */
  processes(request?: RequestOptions): Promise<ListProcessesResponse> {
    return this.#get('/api/operator/processes', request);
  }

  /** Returns the work by minute, the busiest accounts, and the failing receivers. */
  activity(query: ReadActivityQuery = {}, request?: RequestOptions): Promise<ReadActivityResponse> {
    return this.#get('/api/operator/activity', request, query);
  }

  /** Returns when each cleanup job last ran. */
  async cleanupJobs(request?: RequestOptions): Promise<ListCleanupJobsResponse['cleanup_jobs']> {
    return (await this.#get<ListCleanupJobsResponse>('/api/operator/cleanup-jobs', request)).cleanup_jobs;
  }

  /** Returns the API form of the deployment, and its plans. */
  deployment(request?: RequestOptions): Promise<GetDeploymentResponse> {
    return this.#get('/api/operator/deployment', request);
  }

  /** Returns the metrics in Prometheus text format. */
  async metrics(request?: RequestOptions): Promise<string> {
    return (await this.#transport.stream({ method: 'GET', path: '/metrics', repeat: 'safe' }, request)).text();
  }

  #get<Body>(path: string, request: RequestOptions | undefined, query?: object): Promise<Body> {
    return this.#transport.json({ method: 'GET', path, query, repeat: 'safe' }, request);
  }

  #once<Body>(path: string, body: object | undefined, request: RequestOptions | undefined): Promise<Body> {
    return this.#transport.json({ method: 'POST', path, body, repeat: 'once' }, request);
  }
}

function accountPath(accountId: string): string {
  return `/api/operator/accounts/${encodeURIComponent(accountId)}`;
}

function deliveryPath(deliveryId: string): string {
  return `/api/operator/deliveries/${encodeURIComponent(deliveryId)}`;
}
