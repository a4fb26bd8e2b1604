// The public types of @x/rerank, written by `npm run api`.

// ======== @x/rerank

type RerankForm = keyof typeof forms;

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

// Used by them, not exported:

declare const forms: {
    cohere: {
        baseUrl: string;
        path: string;
        documents: string;
        top: string;
        batchSize: number;
    };
    jina: {
        baseUrl: string;
        path: string;
        documents: string;
        top: string;
        batchSize: number;
        body: {
            return_documents: boolean;
        };
    };
    voyage: {
        baseUrl: string;
        path: string;
        documents: string;
        top: string;
        batchSize: number;
    };
    mixedbread: {
        baseUrl: string;
        path: string;
        documents: string;
        top: string;
        batchSize: number;
    };
    vllm: {
        baseUrl: string;
        path: string;
        documents: string;
        top: string;
        batchSize: number;
    };
    tei: {
        baseUrl: string;
        path: string;
        documents: string;
        batchSize: number;
        body: {
            truncate: boolean;
        };
    };
};
