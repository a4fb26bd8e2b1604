// The public types of @x/transformers, written by `npm run api`.

// ======== @x/transformers

interface EncodedText {
    input_ids: number[];
    token_type_ids?: number[];
}

interface LoadProgress {
    status: string;
    file?: string;
    progress?: number;
    loaded?: number;
    total?: number;
}

interface Loadable<Loaded> {
    from_pretrained(name: string, options?: Record<string, unknown>): Promise<Loaded>;
}

interface LocalModelOptions {
    modelName: string;
    path?: string | undefined;
    allowRemoteModels?: boolean | undefined;
    revision?: string | undefined;
    cacheDir?: string | undefined;
    device?: string | undefined;
    dtype?: WeightType | undefined;
    maxTokens?: number | undefined;
    maxBatchTokens?: number | undefined;
    onProgress?: ((progress: LoadProgress) => void) | undefined;
    library?: (() => Promise<TransformersLibrary>) | undefined;
}

interface ModelOutput {
    dims: readonly number[];
    type: string;
    data: ArrayLike<unknown>;
    to(type: 'float32'): ModelOutput;
}

interface ModelTokenizer {
    (text: string, options: {
        text_pair?: string;
        return_tensor: false;
        return_token_type_ids: true;
    }): EncodedText;
    encode(text: string, options?: {
        add_special_tokens?: boolean;
    }): number[];
    tokenize(text: string): string[];
    readonly model_max_length: number;
    pad_token_id?: number | undefined;
    unk_token?: string | null | undefined;
}

interface Network {
    (inputs: Record<string, unknown>): Promise<Record<string, ModelOutput | undefined>>;
    config: object;
    dispose(): Promise<unknown>;
}

declare class TransformersCrossEncoder implements CrossEncoder {
    readonly modelName: string;
    readonly device?: string;
    private readonly model;
    private readonly activation;
    constructor(given: TransformersCrossEncoderOptions);
    predict(pairs: readonly (readonly [query: string, text: string])[], { signal }?: {
        signal?: AbortSignal | undefined;
    }): Promise<number[]>;
    dispose(): Promise<void>;
}

interface TransformersCrossEncoderOptions extends LocalModelOptions {
    activation?: 'sigmoid' | 'identity' | undefined;
}

declare class TransformersEmbedding extends BaseEmbedding {
    static className(): string;
    private readonly model;
    private readonly queries;
    private readonly texts;
    constructor(options: TransformersEmbeddingOptions);
    dispose(): Promise<void>;
    protected queryRequest(query: string, options: EmbedOptions): Promise<number[]>;
    protected textRequest(text: string, options: EmbedOptions): Promise<number[]>;
    protected queriesRequest(queries: readonly string[], options: EmbedOptions): Promise<number[][]>;
    protected textsRequest(texts: readonly string[], options: EmbedOptions): Promise<number[][]>;
}

interface TransformersEmbeddingOptions extends Omit<BaseEmbeddingOptions, 'modelName'>, LocalModelOptions {
    pooling?: 'mean' | 'cls' | 'last' | undefined;
    normalize?: boolean | undefined;
    queryPrefix?: string | undefined;
    textPrefix?: string | undefined;
    onLongText?: 'average' | 'throw' | undefined;
}

interface TransformersLibrary {
    AutoTokenizer: Loadable<ModelTokenizer>;
    AutoModel: Loadable<Network>;
    AutoModelForSequenceClassification: Loadable<Network>;
    AutoModelForTokenClassification: Loadable<Network>;
    Tensor: new (type: 'int64', data: BigInt64Array, dims: number[]) => unknown;
}

declare class TransformersNer {
    readonly modelName: string;
    private readonly model;
    constructor(options: TransformersNerOptions);
    readonly recognize: (text: string, { signal }?: NonNullable<Parameters<EntityRecognizer>[1]>) => Promise<RecognizedEntity[]>;
    dispose(): Promise<void>;
}

type TransformersNerOptions = LocalModelOptions;

type WeightType = 'auto' | 'fp32' | 'fp16' | 'q8' | 'int8' | 'uint8' | 'q4' | 'bnb4' | 'q4f16' | 'q2' | 'q2f16' | 'q1' | 'q1f16';
