// The public types of @x/prompts, written by `npm run api`.

// ======== @x/prompts

declare abstract class BasePromptTemplate extends BasePromptTemplateModel implements PromptLike {
    abstract format(vars?: Variables, options?: PromptFormatOptions): string;
    abstract formatMessages(vars?: Variables, options?: PromptFormatOptions): ChatMessage[];
    abstract getTemplate(options?: {
        llm?: BaseLLM | undefined;
    }): string;
    abstract partialFormat(vars: Variables): BasePromptTemplate;
    protected withValues(vars: Variables): Pick<BasePromptTemplate, 'kwargs' | 'metadata'>;
    select(_options?: {
        llm?: BaseLLM | undefined;
    }): BasePromptTemplate;
    isChat(_options?: {
        llm?: BaseLLM | undefined;
    }): boolean;
    resolveVars(vars?: Variables, _options?: {
        llm?: BaseLLM | undefined;
    }): Record<string, string>;
    requiredNames(_options?: {
        llm?: BaseLLM | undefined;
    }): string[];
    asQueryComponent({ partial, llm }?: {
        partial?: Dict;
        llm?: BaseLLM;
    }): QueryComponent;
}

type CallerNames<Names extends string, Mappings> = string extends keyof Mappings ? Names : Exclude<Names, Mappings[keyof Mappings]> | ({
    [Name in keyof Mappings]: Mappings[Name] extends Names ? Name : never;
}[keyof Mappings] & string);

declare class ChatPromptTemplate<const Messages extends readonly unknown[] = readonly MessageTemplate[], const Mappings extends Readonly<Record<string, string>> = Record<string, string>, Given extends string = never, Computed extends string = never, Declared extends string = never> extends ChatPromptTemplateModel {
    constructor(options: ChatPromptTemplateOptions<Messages, Mappings, Given, Computed, Declared>);
    static nested(): {
        messageTemplates: (typeof ChatMessage)[];
    };
    protected static fromFields(fields: Dict): Model;
    static fromMessages<const Entries extends readonly MessageEntry[], const Mappings extends Readonly<Record<string, string>> = Record<string, string>, Given extends string = never, Computed extends string = never, Declared extends string = never>(entries: Entries, options?: Omit<ChatPromptTemplateOptions<readonly MessageTemplate[], Mappings, Given, Computed, Declared>, 'messageTemplates' | 'placeholders'>): ChatPromptTemplate<MessagesOf<Entries>, Mappings, Given, Computed, Declared>;
    isChat(): boolean;
    formatMessages(...args: FormatArguments<RequiredNames<NamesOfMessages<Messages, Declared>, Mappings, Given | Computed>, PromptFormatOptions, MessageVariables<Messages>>): ChatMessage[];
    format(...args: FormatArguments<RequiredNames<NamesOfMessages<Messages, Declared>, Mappings, Given | Computed>, PromptFormatOptions, MessageVariables<Messages>>): string;
    getTemplate(_options?: {
        llm?: BaseLLM | undefined;
    }): string;
    requiredNames(options?: {
        llm?: BaseLLM | undefined;
    }): string[];
    resolveVars(vars?: Variables): Record<string, string>;
    partialFormat<const More extends string>(vars: Readonly<Record<More, unknown>>): ChatPromptTemplate<Messages, Mappings, Given | More, Computed, Declared>;
    copy(options?: CopyOptions<this>): this;
}

interface ChatPromptTemplateOptions<Messages extends readonly unknown[] = readonly MessageTemplate[], Mappings = Record<string, string>, Given extends string = string, Computed extends string = string, Declared extends string = string> extends Omit<PromptOptions, keyof VariableOptions>, VariableOptions<Mappings, Given, Computed, Declared> {
    messageTemplates: Messages;
    placeholders?: readonly StoredPlaceholder[] | null | undefined;
}

type Conditional = readonly [condition: (llm: BaseLLM) => boolean, template: BasePromptTemplate];

interface DotPrompt {
    readonly inputVariables: readonly string[];
    readonly defaults?: Variables | undefined;
    readonly template?: string | undefined;
    render(input: Readonly<Dict>): readonly RenderedMessage[] | {
        readonly messages: readonly RenderedMessage[];
    };
}

interface DotPromptFile extends DotPrompt {
    readonly frontMatter: Readonly<Dict>;
    readonly template: string;
    render(input: Readonly<Dict>): readonly RenderedMessage[];
}

interface FewShotMessages {
    readonly examples: readonly Variables[];
    readonly messages: readonly PromptMessageLike[];
}

declare class ForeignLLMRequiredError extends ToolkitError {
    constructor();
}

interface ForeignPrompt {
    readonly inputVariables: readonly string[];
    readonly partialVariables: Readonly<Record<string, unknown>>;
    readonly template?: string | undefined;
    readonly isChat?: boolean | undefined;
    partial(vars: Variables): ForeignPrompt;
    format(vars: Variables): string;
    formatMessages(vars: Variables): ChatMessage[];
}

declare class ForeignPromptTemplate extends ForeignPromptTemplateModel {
    constructor(options: ForeignPromptTemplateOptions);
    protected static fromFields(fields: Dict): Model;
    format(vars?: Variables, { llm }?: PromptFormatOptions): string;
    formatMessages(vars?: Variables, { llm }?: PromptFormatOptions): ChatMessage[];
    resolveVars(vars?: Variables): Record<string, string>;
    isChat({ llm }?: {
        llm?: BaseLLM | undefined;
    }): boolean;
    getTemplate({ llm }?: {
        llm?: BaseLLM | undefined;
    }): string;
    partialFormat(vars: Variables): ForeignPromptTemplate;
    private choose;
    private foreignValues;
}

interface ForeignPromptTemplateOptions extends PromptOptions {
    template?: ForeignPrompt | null | undefined;
    selector?: ForeignSelector | null | undefined;
    requiresForeignLlm?: boolean | undefined;
}

interface ForeignSelector {
    readonly defaultPrompt: ForeignPrompt;
    readonly conditionals: readonly (readonly [condition: (foreignModel: unknown) => boolean, prompt: ForeignPrompt])[];
}

type FormatArguments<Names extends string, Options, Messages = NoVariables> = [Names] extends [never] ? NoVariables extends Messages ? [vars?: Readonly<Record<string, unknown>> & Messages, options?: Options] : [vars: Messages, options?: Options] : string extends Names ? [vars?: VariablesOf<Names>, options?: Options] : [vars: VariablesOf<Names> & Messages, options?: Options];

interface HasPrompts {
    getPrompts(): PromptDict;
    updatePrompts(prompts: Readonly<PromptDict>): void;
}

declare class InvalidVariableError extends ToolkitError {
    readonly variable: string;
    constructor(variable: string, value: unknown, expected?: string);
}

interface LangChainPrompt {
    readonly inputVariables: readonly string[];
    readonly partialVariables?: object | undefined;
    readonly templateFormat?: string | undefined;
    readonly template?: unknown;
    readonly promptMessages?: readonly unknown[] | undefined;
}

interface LangChainPromptOptions {
    renderTemplate?: ((template: string, templateFormat: any, values: any) => string) | undefined;
}

type MessageEntry = PromptMessageLike | MessagesPlaceholder | FewShotMessages;

type MessageTemplate = ChatMessageOptions | ChatMessage;

type MessageVariables<Messages extends readonly unknown[]> = [PlaceholderIn<Messages>] extends [never] ? NoVariables : {
    readonly [Place in PlaceholderIn<Messages> as Place['optional'] extends true ? never : Place['placeholder']]: Exclude<Place['value'], undefined>;
} & {
    readonly [Place in PlaceholderIn<Messages> as Place['optional'] extends true ? Place['placeholder'] : never]?: Place['value'];
};

interface MessagesPlaceholder<Name extends string = string, Optional extends boolean = boolean, Value = readonly PromptMessageLike[] | readonly Variables[]> {
    readonly placeholder: Name;
    readonly optional: Optional;
    readonly messages: readonly PromptMessageLike[] | null;
    readonly value?: Value;
}

type NamesIn<Template extends string, Found extends string = never> = Template extends `${infer _}{${infer Rest}` ? Rest extends `{${infer After}` ? NamesIn<After, Found> : Rest extends `${infer Name}}${infer After}` ? NamesIn<After, Found | Name> : Found : Found;

type NamesOf<Template extends string, Declared extends string = never> = string extends Template | Declared ? string : [Declared] extends [never] ? NamesIn<Template> : DeclaredIn<Template, Declared>;

type NamesOfMessages<Messages extends readonly unknown[], Declared extends string = never, Found extends string = never> = number extends Messages['length'] ? string : Messages extends readonly [infer First, ...infer Rest] ? NamesOfMessages<Rest, Declared, Found | NamesOfMessage<First, Declared>> : Found;

type NoVariables = {};

type PromptDict = Record<string, BasePromptTemplate>;

declare class PromptKeyError extends ToolkitError {
    readonly key: string;
    constructor(key: string, message: string);
}

type PromptMessageLike = ChatMessage | (Omit<ChatMessageOptions, 'role'> & {
    readonly role?: PromptRole | undefined;
}) | readonly [role: PromptRole, content: string | readonly ContentPart[]];

declare abstract class PromptMixin implements HasPrompts {
    protected abstract _getPrompts(): PromptDict;
    protected abstract _updatePrompts(prompts: PromptDict): void;
    protected _getPromptModules(): Record<string, HasPrompts>;
    getPrompts(): PromptDict;
    updatePrompts(prompts: Readonly<PromptDict>): void;
    private promptModule;
}

interface PromptModule {
    readonly prompts?: Readonly<PromptDict> | undefined;
    readonly modules?: Readonly<Record<string, HasPrompts>> | undefined;
}

interface PromptOptions extends Omit<BasePromptTemplateOptions, 'metadata' | 'templateVars' | 'kwargs'> {
    promptType?: PromptType | undefined;
    metadata?: Readonly<Dict> | undefined;
    vars?: Variables | undefined;
}

type PromptRole = MessageRole | 'developer' | 'human' | 'ai';

declare class PromptTemplate<const Template extends string = string, const Mappings extends Readonly<Record<string, string>> = Record<string, string>, Given extends string = never, Computed extends string = never, Declared extends string = never> extends PromptTemplateModel {
    constructor(options: PromptTemplateOptions<Template, Mappings, Given, Computed, Declared>);
    protected static fromFields(fields: Dict): Model;
    format(...[vars, options]: FormatArguments<RequiredNames<NamesOf<Template, Declared>, Mappings, Given | Computed>, PromptFormatOptions>): string;
    formatMessages(...args: FormatArguments<RequiredNames<NamesOf<Template, Declared>, Mappings, Given | Computed>, PromptFormatOptions>): ChatMessage[];
    getTemplate(_options?: {
        llm?: BaseLLM | undefined;
    }): string;
    partialFormat<const More extends string>(vars: Readonly<Record<More, unknown>>): PromptTemplate<Template, Mappings, Given | More, Computed, Declared>;
    copy(options?: CopyOptions<this>): this;
}

interface PromptTemplateOptions<Template extends string = string, Mappings = Record<string, string>, Given extends string = string, Computed extends string = string, Declared extends string = string> extends Omit<PromptOptions, keyof VariableOptions>, VariableOptions<Mappings, Given, Computed, Declared> {
    template: Template;
}

type PromptType = (typeof promptTypes)[number] | (string & {});

interface ReadDotPromptOptions {
    parseYaml?: ((text: string) => unknown) | undefined;
    history?: string | undefined;
}

interface RenderedMessage {
    readonly role: string;
    readonly content: string | readonly Readonly<Dict>[];
}

type RequiredNames<Names extends string, Mappings, Given extends string> = Exclude<CallerNames<Names, Mappings>, Given>;

declare class SelectorPromptTemplate extends SelectorPromptTemplateModel {
    constructor(options: SelectorPromptTemplateOptions);
    static nested(): {
        defaultTemplate: NestedClasses;
    };
    protected static fromFields({ defaultTemplate, conditionals }: Dict): Model;
    select({ llm }?: {
        llm?: BaseLLM | undefined;
    }): BasePromptTemplate;
    format(vars?: Variables, options?: PromptFormatOptions): string;
    formatMessages(vars?: Variables, options?: PromptFormatOptions): ChatMessage[];
    getTemplate(options?: {
        llm?: BaseLLM | undefined;
    }): string;
    resolveVars(vars?: Variables, options?: {
        llm?: BaseLLM | undefined;
    }): Record<string, string>;
    requiredNames(options?: {
        llm?: BaseLLM | undefined;
    }): string[];
    isChat(options?: {
        llm?: BaseLLM | undefined;
    }): boolean;
    partialFormat(vars: Variables): SelectorPromptTemplate;
    toDict(options?: DictOptions): Dict;
}

interface SelectorPromptTemplateOptions {
    defaultTemplate: BasePromptTemplate;
    conditionals?: readonly Conditional[] | null | undefined;
    outputParser?: OutputParser | null | undefined;
}

interface SourceSpan {
    start: number;
    end: number;
    source: 'template' | 'variable' | 'parser' | 'rendering';
    variable?: string;
    path?: string;
    templateStart?: number;
    templateEnd?: number;
    message?: number;
    part?: number;
}

interface SourcedMessage {
    message: ChatMessage;
    sources: SourceSpan[];
}

interface SourcedText {
    text: string;
    sources: SourceSpan[];
}

interface StoredPlaceholder {
    readonly at: number;
    readonly variable: string | null;
    readonly optional: boolean;
    readonly messages: readonly Dict[] | null;
    readonly examples: readonly Variables[] | null;
}

type TemplateValue = string | number | bigint | boolean;

type VariableFunction = (vars: Record<string, unknown>) => unknown;

interface VariableOptions<Mappings = Record<string, string>, Given extends string = string, Computed extends string = string, Declared extends string = string> {
    templateFormat?: 'literal' | null | undefined;
    templateVars?: readonly Declared[] | undefined;
    templateVarMappings?: Mappings | null | undefined;
    vars?: Readonly<Record<Given, unknown>> | undefined;
    functionMappings?: Readonly<Record<Computed, VariableFunction>> | null | undefined;
}

type Variables = Readonly<Record<string, unknown>>;

type VariablesOf<Names extends string> = string extends Names ? Readonly<Record<string, unknown>> : {
    readonly [Name in Names]: TemplateValue;
};

interface WrapsForeignModel extends BaseLLM {
    readonly foreignModel: unknown;
}

interface WriteDotPromptOptions {
    frontMatter?: Readonly<Dict> | undefined;
    stringifyYaml?: ((value: unknown) => string) | undefined;
}

declare const choiceSelectPrompt: () => PromptTemplate<"Below are numbered documents and a question. Which documents help to answer the question?\nWrite one line per helpful document: its number, and how much it helps from 1 (a little) to 10 (fully). The most helpful one comes first. Leave out documents that do not help. Write these lines and nothing else.\n\nThe form, by an example:\nDoc: 4, Relevance: 9\nDoc: 1, Relevance: 3\n\n{context_str}\n\nQuestion: {query_str}\nAnswer:\n", Record<string, string>, never, never, never>;

declare function dotPrompt(prompt: DotPrompt): ForeignPrompt;

declare function fewShot(examples: readonly Variables[], messages: readonly PromptMessageLike[]): FewShotMessages;
declare function fewShot<const Name extends string>(examples: Name, messages: readonly PromptMessageLike[]): MessagesPlaceholder<Name, false, readonly Variables[]>;

declare function formatMessagesWithSources(prompt: BasePromptTemplate, vars?: Variables, options?: PromptFormatOptions): SourcedMessage[];

declare function formatWithSources(prompt: BasePromptTemplate, vars?: Variables, options?: PromptFormatOptions): SourcedText;

declare function getBiggestPrompt<P extends BasePromptTemplate>(prompts: readonly P[]): P;

declare function getEmptyPromptTxt(prompt: BasePromptTemplate): string;

declare function getPrompts({ prompts, modules }: PromptModule): PromptDict;

declare function getTemplateVars(template: string): string[];

declare function history<const Name extends string, const Optional extends boolean = false>(name: Name, { optional }?: {
    optional?: Optional;
}): MessagesPlaceholder<Name, Optional, readonly PromptMessageLike[]>;

declare const insertPrompt: () => PromptTemplate<"Here are {num_chunks} summaries, numbered from 1 to {num_chunks}:\n-----\n{context_list}\n-----\nAnd here is a new text:\n-----\n{new_chunk_text}\n-----\nWrite the number of the summary whose topic the new text fits best, and nothing else.\nNumber: ", Record<string, string>, never, never, never>;

declare function isChatModel(llm: BaseLLM): boolean;

declare function isPromptTemplate(value: unknown): value is BasePromptTemplate;

declare const keywordExtractPrompt: () => PromptTemplate<"Name up to {max_keywords} keywords of the text below: words by which one would look it up. Leave out words that any text contains.\n-----\n{text}\n-----\nWrite them in one line in the form \"KEYWORDS: <keyword>, <keyword>\".\n", Record<string, string>, never, never, never>;

declare function langChainPrompt(prompt: LangChainPrompt, { renderTemplate }?: LangChainPromptOptions): ForeignPrompt;

declare function promptClasses(): NestedClasses;

declare const promptTypes: readonly ['summary', 'insert', 'tree_select', 'tree_select_multiple', 'text_qa', 'refine', 'keyword_extract', 'query_keyword_extract', 'schema_extract', 'text_to_sql', 'text_to_graph_query', 'table_context', 'knowledge_triplet_extract', 'simple_input', 'pandas', 'json_path', 'single_select', 'multi_select', 'vector_store_query', 'sub_question', 'sql_response_synthesis', 'sql_response_synthesis_v2', 'conversation', 'decompose', 'choice_select', 'custom', 'rankgpt_rerank'];

declare const queryKeywordExtractPrompt: () => PromptTemplate<"A question is below. Name up to {max_keywords} keywords by which one would find texts that answer it. Leave out words that any text contains.\n-----\n{question}\n-----\nWrite them in one line in the form \"KEYWORDS: <keyword>, <keyword>\".\n", Record<string, string>, never, never, never>;

declare const rankGptRerankPrompt: () => PromptTemplate<"Search query: {query}\nOrder the {num} passages above by how well they answer the search query, the best one first. Name every passage once by its identifier in brackets, in the form [2] > [1]. Write the ordered identifiers only.", Record<string, string>, never, never, never>;

declare function readDotPrompt(source: string, { parseYaml, history }?: ReadDotPromptOptions): DotPromptFile;

declare const refineChatPrompt: () => ChatPromptTemplate<readonly [{
    role: "user";
    content: "{query_str}";
}, {
    role: "assistant";
    content: "{existing_answer}";
}, {
    role: "user";
    content: string;
}], Record<string, string>, never, never, never>;

declare const refinePrompt: () => PromptTemplate<"The question is: {query_str}\nSo far the answer is: {existing_answer}\nNow there is more information:\n-----\n{context_msg}\n-----\nImprove the answer where the new information helps to answer the question. Where it does not help, repeat the answer unchanged.\nImproved answer: ", Record<string, string>, never, never, never>;

declare const refineSelector: () => SelectorPromptTemplate;

declare const refineTableChatPrompt: () => ChatPromptTemplate<readonly [{
    role: "user";
    content: "{query_str}";
}, {
    role: "assistant";
    content: "{existing_answer}";
}, {
    role: "user";
    content: string;
}], Record<string, string>, never, never, never>;

declare const refineTablePrompt: () => PromptTemplate<"The question is: {query_str}\nSo far the answer is: {existing_answer}\nA table contains more information. Its schema:\n-----\n{schema}\n-----\nIts rows:\n-----\n{context_msg}\n-----\nImprove the answer where the rows of the table help to answer the question. Where they do not help, repeat the answer unchanged.\nImproved answer: ", Record<string, string>, never, never, never>;

declare const refineTableSelector: () => SelectorPromptTemplate;

declare const simpleInputPrompt: () => PromptTemplate<"{query_str}", Record<string, string>, never, never, never>;

declare const summaryPrompt: () => PromptTemplate<"Summarize the text below in your own words. Keep names, numbers, dates and all other details that matter.\n-----\n{context_str}\n-----\nSummary: ", Record<string, string>, never, never, never>;

declare const textQaChatPrompt: () => ChatPromptTemplate<readonly [{
    role: "system";
    content: string;
}, {
    role: "user";
    content: "Information:\n-----\n{context_str}\n-----\nQuestion: {query_str}";
}], Record<string, string>, never, never, never>;

declare const textQaPrompt: () => PromptTemplate<"Here is what is known:\n-----\n{context_str}\n-----\nUse only this information, and nothing you know from elsewhere, to answer the question. Say so when it does not contain the answer.\nQuestion: {query_str}\nAnswer: ", Record<string, string>, never, never, never>;

declare const textQaSelector: () => SelectorPromptTemplate;

declare const treeSelectMultiplePrompt: () => PromptTemplate<"Here are {num_chunks} choices, numbered from 1 to {num_chunks}; each one summarizes a text:\n-----\n{context_list}\n-----\nWhich texts, at most {branching_factor}, most likely answer this question: {query_str}\nJudge by the choices alone. Give their numbers, the best one first, in the form \"ANSWER: <numbers>\", then in a sentence each why you chose them.\n", Record<string, string>, never, never, never>;

declare const treeSelectPrompt: () => PromptTemplate<"Here are {num_chunks} choices, numbered from 1 to {num_chunks}; each one summarizes a text:\n-----\n{context_list}\n-----\nWhich text most likely answers this question: {query_str}\nJudge by the choices alone. Give its number in the form \"ANSWER: <number>\", then in a sentence why you chose it.\n", Record<string, string>, never, never, never>;

declare const treeSummarizeChatPrompt: () => ChatPromptTemplate<readonly [{
    role: "system";
    content: "You bring together what several sources say and answer questions from them alone, without adding anything from elsewhere.";
}, {
    role: "user";
    content: "Sources:\n-----\n{context_str}\n-----\nQuestion: {query_str}";
}], Record<string, string>, never, never, never>;

declare const treeSummarizePrompt: () => PromptTemplate<"Several sources say:\n-----\n{context_str}\n-----\nBring together what these sources say, without adding anything from elsewhere, and answer the question.\nQuestion: {query_str}\nAnswer: ", Record<string, string>, never, never, never>;

declare const treeSummarizeSelector: () => SelectorPromptTemplate;

declare function updatePrompts(component: PromptModule, updates: Readonly<PromptDict>, replace?: (prompts: PromptDict) => void): void;

declare function writeDotPrompt(prompt: PromptTemplate<any, any, any, any, any> | ChatPromptTemplate<any, any, any, any, any>, { frontMatter, stringifyYaml }?: WriteDotPromptOptions): string;

// Computed types, not exported:

type DeclaredIn<Template extends string, Declared extends string> = Declared extends unknown ? Template extends `${string}{${Declared}}${string}` ? Declared : never : never;

type MessagesOf<Entries extends readonly MessageEntry[]> = {
    [Index in keyof Entries]: Entries[Index] extends readonly [infer Role, infer Content] ? {
        role: Role;
        content: Content;
    } : Entries[Index];
};

type NamesOfMessage<Message, Declared extends string> = Message extends MessagesPlaceholder | FewShotMessages ? never : Message extends {
    readonly content: infer Content;
} ? Content extends string ? NamesOf<Content, Declared> : Content extends null | undefined ? never : string : never;

type PlaceholderIn<Messages extends readonly unknown[]> = number extends Messages['length'] ? never : Extract<Messages[number], MessagesPlaceholder>;

// Bases of the classes, not exported:

interface BasePromptTemplateFields {
    metadata: Record<string, unknown>;
    templateVars: string[];
    kwargs: Record<string, string>;
    outputParser: OutputParser | null;
    templateVarMappings: Record<string, string> | null;
    functionMappings: Readonly<Record<string, VariableFunction>> | null;
}

declare const BasePromptTemplateModel: typeof Declared;

interface BasePromptTemplateOptions {
    metadata: Readonly<Record<string, unknown>>;
    templateVars: readonly string[];
    kwargs: Readonly<Record<string, string>>;
    outputParser?: OutputParser | null | undefined;
    templateVarMappings?: Readonly<Record<string, string>> | null | undefined;
    functionMappings?: Readonly<Record<string, VariableFunction>> | null | undefined;
}

interface ChatPromptTemplateFields extends BasePromptTemplateFields {
    messageTemplates: ChatMessage[];
    templateFormat: 'literal' | null;
    placeholders: StoredPlaceholder[] | null;
}

declare const ChatPromptTemplateModel: typeof Declared;

declare abstract class Declared extends BasePromptTemplate {
    constructor(options: object);
}
interface Declared extends ChatPromptTemplateFields {
}

declare abstract class Declared extends BasePromptTemplate {
    constructor(options: object);
}
interface Declared extends ForeignPromptTemplateFields {
}

declare abstract class Declared extends BasePromptTemplate {
    constructor(options: object);
}
interface Declared extends PromptTemplateFields {
}

declare abstract class Declared extends BasePromptTemplate {
    constructor(options: object);
}
interface Declared extends SelectorPromptTemplateFields {
}

declare abstract class Declared extends Model {
    constructor(options: BasePromptTemplateOptions);
}
interface Declared extends BasePromptTemplateFields {
}

interface ForeignPromptTemplateFields extends BasePromptTemplateFields {
    selector: ForeignSelector | null;
    requiresForeignLlm: boolean;
}

declare const ForeignPromptTemplateModel: typeof Declared;

interface PromptTemplateFields extends BasePromptTemplateFields {
    template: string;
    templateFormat: 'literal' | null;
}

declare const PromptTemplateModel: typeof Declared;

interface SelectorPromptTemplateFields extends BasePromptTemplateFields {
    defaultTemplate: BasePromptTemplate;
    conditionals: readonly Conditional[] | null;
}

declare const SelectorPromptTemplateModel: typeof Declared;

// ======== @x/prompts/rich

type RichArguments<Template extends string, Options> = string extends Template ? [vars?: Readonly<Record<string, unknown>>, options?: Options] : string extends NamesOfTags<Tags<Template>> ? [vars?: Readonly<Record<string, unknown>>, options?: Options] : [RequiredIn<Template>] extends [never] ? [vars?: RichVariables<Template>, options?: Options] : [vars: RichVariables<Template>, options?: Options];

declare class RichPromptTemplate<const Template extends string = string> extends RichPromptTemplateModel {
    constructor(options: RichPromptTemplateOptions<Template>);
    protected static fromFields(fields: Dict): Model;
    isChat(): boolean;
    requiredNames(): string[];
    resolveVars(vars?: Variables): Record<string, string>;
    format(...args: RichArguments<Template, PromptFormatOptions>): string;
    formatMessages(...args: RichArguments<Template, PromptFormatOptions>): ChatMessage[];
    getTemplate(): string;
    partialFormat(vars: Variables): RichPromptTemplate<Template>;
    copy(options?: CopyOptions<this>): this;
}

interface RichPromptTemplateOptions<Template extends string = string> extends PromptOptions {
    templateStr: Template;
    onMissing?: 'throw' | 'empty' | undefined;
}

type RichVariables<Template extends string> = {
    readonly [Name in RequiredIn<Template>]: unknown;
} & {
    readonly [Name in Exclude<NamesOfTags<Tags<Template>>, RequiredIn<Template>>]?: unknown;
};

// Computed types, not exported:

type AreFilters<Text extends string> = Text extends `${string} ${'if' | '~' | 'or' | 'and' | 'is' | '+' | '-' | '==' | 'in'} ${string}` ? false : Text extends `${string}(${infer Argument}${string}` ? Argument extends '"' | "'" | ')' | `${number}` ? true : false : true;

type Head<Text extends string> = Text extends `${infer Name}|${infer Filters}` ? AreFilters<Filters> extends true ? HeadOfPath<Trim<Name>> : string : HeadOfPath<Text>;

type HeadOfPath<Text extends string> = Text extends `${infer Name}.${infer Path}` ? IsName<Path, Text> extends true ? HeadOfPath<Name> : string : IsName<Text, Text> extends true ? Text : string;

type IsName<Text extends string, _Whole> = Text extends `${string}${' ' | '(' | '[' | '"' | "'" | '{' | '~' | '=' | ',' | '+' | '*' | '<' | '>'}${string}` ? false : Text extends '' | `${number}` | 'true' | 'false' | 'none' | 'True' | 'False' | 'None' ? false : true;

type NamesOfTags<All extends readonly Tag[], Defined extends string = 'loop', Found extends string = never> = All extends readonly [infer First extends Tag, ...infer Rest extends readonly Tag[]] ? First extends ['print', infer Text extends string] ? NamesOfTags<Rest, Defined, Found | Exclude<Head<Text>, Defined>> : First[1] extends `for ${infer Name} in ${infer Items}` ? NamesOfTags<Rest, Defined | SplitNames<Name>, Found | Exclude<Head<Trim<Items>>, Defined>> : First[1] extends `if ${infer Test}` | `elif ${infer Test}` ? NamesOfTags<Rest, Defined, Found | Exclude<Head<Trim<Test>>, Defined>> : First[1] extends `chat ${string}` | `end${string}` | 'else' ? NamesOfTags<Rest, Defined, Found> : string : Found;

type NeededBy<Text extends string, Defined extends string, Ifs extends readonly unknown[]> = Ifs extends [] ? Text extends `${string}|${infer Filters}` ? Trim<Filters> extends `d` | `default${string}` | `d(${string}` ? never : Exclude<Head<Text>, Defined> : Exclude<Head<Text>, Defined> : never;

type RequiredIn<Template extends string> = RequiredOf<Tags<Template>>;

type RequiredOf<All extends readonly Tag[], Defined extends string = 'loop', Found extends string = never, Ifs extends readonly unknown[] = []> = All extends readonly [infer First extends Tag, ...infer Rest extends readonly Tag[]] ? First[1] extends 'endif' ? RequiredOf<Rest, Defined, Found, Ifs extends [unknown, ...infer Outer] ? Outer : []> : First[1] extends `if ${string}` ? RequiredOf<Rest, Defined, Found, [...Ifs, 1]> : First extends ['print', infer Text extends string] ? RequiredOf<Rest, Defined, Found | NeededBy<Text, Defined, Ifs>, Ifs> : First[1] extends `for ${infer Name} in ${infer Items}` ? RequiredOf<Rest, Defined | SplitNames<Name>, Found | NeededBy<Trim<Items>, Defined, Ifs>, Ifs> : RequiredOf<Rest, Defined, Found, Ifs> : Found;

type SplitNames<Text extends string> = Text extends `${infer Name},${infer Rest}` ? Trim<Name> | SplitNames<Trim<Rest>> : Trim<Text>;

type Tag<Kind extends string = 'print' | 'block'> = readonly [kind: Kind, text: string];

type Tags<Template extends string, Found extends readonly Tag[] = []> = Template extends `${infer _}{${infer Rest}` ? Rest extends `{${infer Inside}}}${infer After}` ? Tags<After, [...Found, ['print', Trim<Inside>]]> : Rest extends `%${infer Inside}%}${infer After}` ? Tags<After, [...Found, ['block', Trim<Inside>]]> : Rest extends `#${infer _}#}${infer After}` ? Tags<After, Found> : Tags<Rest, Found> : Found;

type Trim<Text extends string> = Text extends `${' ' | '\n' | '\t' | '-' | '+'}${infer Rest}` ? Trim<Rest> : Text extends `${infer Rest}${' ' | '\n' | '\t' | '-' | '+'}` ? Trim<Rest> : Text;

// Bases of the classes, not exported:

declare abstract class Declared extends BasePromptTemplate {
    constructor(options: object);
}
interface Declared extends RichPromptTemplateFields {
}

interface RichPromptTemplateFields extends BasePromptTemplateFields {
    templateStr: string;
    onMissing: 'throw' | 'empty';
}

declare const RichPromptTemplateModel: typeof Declared;

// ======== @x/prompts/schemas

declare const BasePromptTemplate: import("typebox").TObject<Omit<{}, "functionMappings" | "kwargs" | "metadata" | "outputParser" | "templateVarMappings" | "templateVars"> & {
    metadata: import("typebox").TUnsafe<Record<string, unknown>>;
    templateVars: import("typebox").TArray<import("typebox").TString>;
    kwargs: import("typebox").TUnsafe<Record<string, string>>;
    outputParser: import("typebox").TUnsafe<OutputParser<unknown>>;
    templateVarMappings: import("typebox").TUnsafe<Record<string, string> | null>;
    functionMappings: import("typebox").TUnsafe<Readonly<Record<string, VariableFunction>>>;
}>;

declare const ChatPromptTemplate: import("typebox").TObject<Omit<Omit<{}, "functionMappings" | "kwargs" | "metadata" | "outputParser" | "templateVarMappings" | "templateVars"> & {
    metadata: import("typebox").TUnsafe<Record<string, unknown>>;
    templateVars: import("typebox").TArray<import("typebox").TString>;
    kwargs: import("typebox").TUnsafe<Record<string, string>>;
    outputParser: import("typebox").TUnsafe<import("@x/core-model").OutputParser<unknown>>;
    templateVarMappings: import("typebox").TUnsafe<Record<string, string> | null>;
    functionMappings: import("typebox").TUnsafe<Readonly<Record<string, import("./variable-values.ts").VariableFunction>>>;
}, "messageTemplates" | "placeholders" | "templateFormat"> & {
    readonly messageTemplates: import("typebox").TArray<import("typebox").TUnsafe<ChatMessage | ChatMessageOptions>>;
    readonly templateFormat: import("typebox").TUnsafe<"literal" | null>;
    readonly placeholders: import("typebox").TUnsafe<StoredPlaceholder[] | readonly StoredPlaceholder[] | null>;
}>;

declare const ForeignPromptTemplate: import("typebox").TObject<Omit<Omit<{}, "functionMappings" | "kwargs" | "metadata" | "outputParser" | "templateVarMappings" | "templateVars"> & {
    metadata: import("typebox").TUnsafe<Record<string, unknown>>;
    templateVars: import("typebox").TArray<import("typebox").TString>;
    kwargs: import("typebox").TUnsafe<Record<string, string>>;
    outputParser: import("typebox").TUnsafe<import("@x/core-model").OutputParser<unknown>>;
    templateVarMappings: import("typebox").TUnsafe<Record<string, string> | null>;
    functionMappings: import("typebox").TUnsafe<Readonly<Record<string, import("./variable-values.ts").VariableFunction>>>;
}, "requiresForeignLlm" | "selector"> & {
    readonly selector: import("typebox").TUnsafe<ForeignSelector>;
    readonly requiresForeignLlm: import("typebox").TBoolean;
}>;

declare const PromptTemplate: import("typebox").TObject<Omit<Omit<{}, "functionMappings" | "kwargs" | "metadata" | "outputParser" | "templateVarMappings" | "templateVars"> & {
    metadata: import("typebox").TUnsafe<Record<string, unknown>>;
    templateVars: import("typebox").TArray<import("typebox").TString>;
    kwargs: import("typebox").TUnsafe<Record<string, string>>;
    outputParser: import("typebox").TUnsafe<import("@x/core-model").OutputParser<unknown>>;
    templateVarMappings: import("typebox").TUnsafe<Record<string, string> | null>;
    functionMappings: import("typebox").TUnsafe<Readonly<Record<string, import("./variable-values.ts").VariableFunction>>>;
}, "template" | "templateFormat"> & {
    readonly template: import("typebox").TString;
    readonly templateFormat: import("typebox").TUnsafe<"literal" | null>;
}>;

declare const RichPromptTemplate: import("typebox").TObject<Omit<Omit<{}, "functionMappings" | "kwargs" | "metadata" | "outputParser" | "templateVarMappings" | "templateVars"> & {
    metadata: import("typebox").TUnsafe<Record<string, unknown>>;
    templateVars: import("typebox").TArray<import("typebox").TString>;
    kwargs: import("typebox").TUnsafe<Record<string, string>>;
    outputParser: import("typebox").TUnsafe<import("@x/core-model").OutputParser<unknown>>;
    templateVarMappings: import("typebox").TUnsafe<Record<string, string> | null>;
    functionMappings: import("typebox").TUnsafe<Readonly<Record<string, import("../variable-values.ts").VariableFunction>>>;
}, "onMissing" | "templateStr"> & {
    readonly templateStr: import("typebox").TString;
    readonly onMissing: import("typebox").TUnsafe<"empty" | "throw">;
}>;

declare const SelectorPromptTemplate: import("typebox").TObject<Omit<Omit<{}, "functionMappings" | "kwargs" | "metadata" | "outputParser" | "templateVarMappings" | "templateVars"> & {
    metadata: import("typebox").TUnsafe<Record<string, unknown>>;
    templateVars: import("typebox").TArray<import("typebox").TString>;
    kwargs: import("typebox").TUnsafe<Record<string, string>>;
    outputParser: import("typebox").TUnsafe<import("@x/core-model").OutputParser<unknown>>;
    templateVarMappings: import("typebox").TUnsafe<Record<string, string> | null>;
    functionMappings: import("typebox").TUnsafe<Readonly<Record<string, import("./variable-values.ts").VariableFunction>>>;
}, "conditionals" | "defaultTemplate"> & {
    readonly defaultTemplate: import("typebox").TUnsafe<BasePromptTemplate>;
    readonly conditionals: import("typebox").TUnsafe<readonly Conditional[]>;
}>;

declare const promptFields: {
    metadata: import("typebox").TUnsafe<Record<string, unknown>>;
    templateVars: import("typebox").TArray<import("typebox").TString>;
    kwargs: import("typebox").TUnsafe<Record<string, string>>;
    outputParser: import("typebox").TUnsafe<OutputParser<unknown>>;
    templateVarMappings: import("typebox").TUnsafe<Record<string, string> | null>;
    functionMappings: import("typebox").TUnsafe<Readonly<Record<string, VariableFunction>>>;
};

declare function promptTemplate<const F extends Fields>(title: string, description: string, fields: F): import("typebox").TObject<Omit<Omit<{}, "functionMappings" | "kwargs" | "metadata" | "outputParser" | "templateVarMappings" | "templateVars"> & {
    metadata: import("typebox").TUnsafe<Record<string, unknown>>;
    templateVars: import("typebox").TArray<import("typebox").TString>;
    kwargs: import("typebox").TUnsafe<Record<string, string>>;
    outputParser: import("typebox").TUnsafe<OutputParser<unknown>>;
    templateVarMappings: import("typebox").TUnsafe<Record<string, string> | null>;
    functionMappings: import("typebox").TUnsafe<Readonly<Record<string, VariableFunction>>>;
}, keyof F> & F>;
