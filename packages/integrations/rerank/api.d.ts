// The public types of @x/rerank, written by `npm run api`.

// ======== @x/rerank

type RerankForm = 'cohere' | 'jina' | 'voyage' | 'mixedbread' | 'vllm' | 'tei';

declare class RerankService implements CrossEncoder {
    readonly modelName: string;
    constructor(given: RerankServiceOptions);
    predict(pairs: readonly (readonly [query: string, text: string])[], { signal }?: {
        signal?: AbortSignal | undefined;
    }): Promise<readonly number[]>;
}

interface RerankServiceOptions extends ModelServerOptions {
    service: RerankForm;
    modelName?: string | undefined;
    batchSize?: number | undefined;
    concurrency?: number | undefined;
    maxAttempts?: number | undefined;
    baseDelayMs?: number | undefined;
    body?: Readonly<Record<string, unknown>> | undefined;
}
