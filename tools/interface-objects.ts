/** The objects that the calls in `docs/interface.md` name, new ones for each row, and the required options of each class. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as mainAgents from '@x/agents'
import * as legacy from '@x/agents/legacy'
import * as agentPipelines from '@x/agents/pipeline'
import * as protocols from '@x/agents/protocol'
import * as stores from '@x/agents/store'
import * as core from '@x/core-model'
import * as python from '@x/core-model/python'
import * as llms from '@x/llm'
import * as testing from '@x/llm/testing'
import * as nodeParser from '@x/node-parser'
import * as postprocessors from '@x/postprocessors'
import * as prompts from '@x/prompts'
import * as pipelines from '@x/query-pipeline'

/** Names and values that a call in the docs may use. */
export type Scope = Record<string, unknown>

const agents = { ...mainAgents, ...legacy, ...agentPipelines, ...protocols, ...stores }
const classes = { ...core, ...llms, ...testing, ...prompts, ...postprocessors, ...nodeParser, ...agents }
/** All values that the packages export. */
export const exported: Scope = { ...classes, ...python, ...pipelines }

/** Returns an exported class. */
// biome-ignore lint/suspicious/noExplicitAny: any class
export function classNamed(name: string): any {
  if (name === 'LLM') return testing.ScriptedLLM
  if (name === 'BaseEmbedding') return testing.TableEmbedding
  return name === 'CustomSimpleAgentWorker' ? OwnWorker : exported[name]
}

class OwnWorker extends agents.CustomSimpleAgentWorker {
  protected override _initializeState() {
    return {}
  }
  protected override _runStep(): protocols.CustomStepResult {
    return [new agents.AgentChatResponse({ response: 'done' }), true]
  }
}

class OwnEmbedding extends llms.BaseEmbedding {
  protected override async queryRequest() {
    return [1, 0]
  }
  protected override async textRequest() {
    return [1, 0]
  }
}

const answers = () => Array.from({ length: 9 }, () => 'Thought: I know.\nAnswer: Paris')
const llm = () => new testing.ScriptedLLM({ answers: answers() })
const memory = () => agents.ChatMemoryBuffer.fromDefaults()
const tool = agents.FunctionTool.fromDefaults({
  fn: () => 1,
  name: 'one',
  description: 'One.',
  schema: { type: 'object' },
})
const node = () => new core.TextNode({ id: 'n', text: 'Ann lives in Paris.', metadata: { date: '2024-01-01' } })
const pipeline = () => {
  const first = new agents.AgentInputComponent({ fn: ({ input }) => ({ text: input }) })
  const last = new agents.AgentFnComponent({
    fn: (_task, _state, { text }: { text: string }) => [new agents.AgentChatResponse({ response: text }), true],
    params: { required: ['text'] },
  })
  return new pipelines.QueryPipeline({ chain: [first, last] })
}
/** A prompt of another library. */
const foreign = () => {
  const prompt = {
    inputVariables: ['topic'],
    partialVariables: {},
    template: 'About {topic}',
    partial: () => prompt,
    format: () => 'About Paris',
    formatMessages: () => [new core.ChatMessage({ content: 'About Paris' })],
  }
  return prompt
}

/** Returns the required options of a class. */
export function required(name: string): core.Dict {
  const docstore = new testing.MapDocumentStore([node()])
  const options: Record<string, core.Dict> = {
    NodeWithScore: { node: node() },
    QueryBundle: { queryStr: 'Paris?' },
    ToolOutput: { content: '1', toolName: 't', rawInput: {}, rawOutput: 1 },
    TaskStep: { taskId: 't', stepId: 's' },
    TaskStepOutput: { output: 1, taskStep: new agents.TaskStep({ taskId: 't', stepId: 's' }), nextSteps: [] },
    PromptTemplate: { template: 'About {topic}' },
    ChatPromptTemplate: { messageTemplates: [{ role: 'user', content: 'About {topic}' }] },
    SelectorPromptTemplate: { defaultTemplate: new prompts.PromptTemplate({ template: 'About {topic}' }) },
    ForeignPromptTemplate: { template: foreign() },
    AutoPrevNextNodePostprocessor: { docstore, llm: new testing.ScriptedLLM({ answers: ['NONE'] }) },
    EmbeddingRecencyPostprocessor: { embedModel: new OwnEmbedding() },
    LLMRerank: { llm: new testing.ScriptedLLM({ answers: ['Doc: 1, Relevance: 5'] }) },
    MetadataReplacementPostProcessor: { targetMetadataKey: 'date' },
    NERPIINodePostprocessor: { ner: () => [] },
    PIINodePostprocessor: {
      llm: new testing.ScriptedLLM({ answers: ['[NAME1] lives in Paris.\nOutput Mapping: {"NAME1": "Ann"}'] }),
    },
    PrevNextNodePostprocessor: { docstore },
    SentenceTransformerRerank: { crossEncoder: { predict: (pairs: readonly unknown[]) => pairs.map(() => 1) } },
    SentenceEmbeddingOptimizer: { thresholdCutoff: null, embedModel: new OwnEmbedding() },
    MarkdownElementNodeParser: {},
    AgentRunner: { agentWorker: new agents.ReActAgentWorker({ llm: llm() }) },
    ParallelAgentRunner: { agentWorker: new agents.ReActAgentWorker({ llm: llm() }) },
    ReActAgent: { llm: llm(), memory: memory(), tools: [] },
    ReActAgentWorker: { llm: llm() },
    MultimodalReActAgentWorker: { multiModalLlm: llm() },
    CustomSimpleAgentWorker: { tools: [], llm: llm() },
    QueryPipelineAgentWorker: { pipeline: pipeline() },
    Task: { input: 'Hi', memory: memory() },
  }
  return options[name] ?? {}
}

/** Returns values for options whose type is a class, by the name of the type. */
export function sample(type: string): unknown {
  const samples: Scope = {
    string: 'en',
    number: 1,
    boolean: true,
    object: {},
    any: 1,
    array: [],
    function: () => 'id',
    Map: new Map(),
    CallbackManager: new core.CallbackManager(),
    AgentWorker: new OwnWorker({ tools: [], llm: llm() }),
    AgentState: new agents.AgentState(),
    ChatMemoryBuffer: memory(),
    LLM: llm(),
    ReActChatFormatter: new agents.ReActChatFormatter(),
    ReActOutputParser: new agents.ReActOutputParser(),
    ObjectRetriever: { retrieve: () => [tool] },
    TaskStep: new agents.TaskStep({ taskId: 't', stepId: 's' }),
    'ChatMessage[]': [new core.ChatMessage()],
    'BaseTool[]': [tool],
    'ToolOutput[]': [],
    'NodeWithScore[]': [],
    'TaskStep[]': [],
  }
  return samples[type]
}

const made = (name: string) => new (classNamed(name))(required(name))

/** The classes of a heading: each row below it is run once for each of them. */
const named: Record<string, string> = {
  'Every model':
    'ChatMessage QueryBundle ToolOutput TextNode PromptTemplate ChatPromptTemplate ReActChatFormatter FixedRecencyPostprocessor KeywordNodePostprocessor ' +
    'LongContextReorder MetadataReplacementPostProcessor SentenceEmbeddingOptimizer SimilarityPostprocessor TimeWeightedPostprocessor MarkdownElementNodeParser NERPIINodePostprocessor SentenceTransformerRerank',
  'Every prompt template': 'PromptTemplate ChatPromptTemplate SelectorPromptTemplate ForeignPromptTemplate',
  'Every postprocessor': Object.keys(postprocessors)
    .filter(
      (name) =>
        name.endsWith('PostProcessor') ||
        name.endsWith('Postprocessor') ||
        /^(LLMRerank|LongContextReorder|SentenceEmbeddingOptimizer|SentenceTransformerRerank)$/.test(name),
    )
    .filter((name) => name !== 'NodePostprocessor')
    .join(' '),
  'Every runner': 'AgentRunner ParallelAgentRunner ReActAgent',
  'Every worker': 'ReActAgentWorker MultimodalReActAgentWorker CustomSimpleAgentWorker QueryPipelineAgentWorker',
  'Every worker with tools': 'ReActAgentWorker MultimodalReActAgentWorker CustomSimpleAgentWorker',
}

/** Returns the names of the classes that the rows under a heading are about. */
export function classesOf(heading: string): readonly string[] {
  return named[heading]?.split(' ') ?? [heading]
}

async function runnerScope(runner: mainAgents.AgentRunner): Promise<Scope> {
  const { taskId } = await runner.createTask('Where?')
  const done = await runner.createTask('Where?')
  const stepOutput = await runner.runStep(done.taskId)
  const [step] = runner.getUpcomingSteps(taskId)
  const inputs = ['Where?', 'exit']
  return {
    runner,
    taskId,
    step,
    stepOutput,
    doneTaskId: done.taskId,
    stepId: stepOutput.taskStep.stepId,
    io: { input: () => inputs.shift(), output: () => {} },
    message: 'Where?',
    chatHistory: undefined,
    toolChoice: 'auto',
    input: null,
    prompts: {},
    mode: 'wait',
  }
}

async function workerScope(worker: protocols.AgentWorker): Promise<Scope> {
  const task = new agents.Task({ input: 'Where?', memory: memory(), extraState: { image_docs: [] } })
  return { worker, task, firstStep: await worker.initializeStep(task), input: 'Where?', prompts: {} }
}

/** The folders of model files, removed at the end. */
const folders: string[] = []
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function modelScope(model: core.Model): Scope {
  const json = model.toJson()
  const folder = mkdtempSync(join(tmpdir(), 'interface-'))
  const path = join(folder, 'model.json')
  writeFileSync(path, json)
  folders.push(folder)
  return {
    model,
    path,
    json,
    data: model.toDict(),
    object: model,
    bytes: new TextEncoder().encode(json),
    values: {},
    fieldsSet: [],
    overrides: {},
    include: undefined,
    exclude: undefined,
    update: {},
    deep: true,
    contentType: 'application/json',
    encoding: 'utf8',
    proto: 'json',
    allowPickle: false,
    byAlias: true,
    refTemplate: '#/definitions/{model}',
    indent: 1,
  }
}

/** Returns the names that the calls of a row may use. */
export async function scopeOf(className: string): Promise<Scope> {
  const isMade = classNamed(className) !== undefined
  const object = isMade ? made(className) : undefined
  const parallelRunner = new agents.ParallelAgentRunner({ agentWorker: new agents.ReActAgentWorker({ llm: llm() }) })
  const { taskId } = await parallelRunner.createTask('Where?')
  const parser = new nodeParser.MarkdownElementNodeParser({ summarizer: 'headers' })
  const documents = [new core.Document({ text: 'Prices\n\n| Item | Price |\n| --- | --- |\n| Tea | 2 |\n' })]
  return {
    ...exported,
    Class: object?.constructor,
    OwnWorker,
    parallelRunner,
    taskId,
    llm: llm(),
    multiModalLlm: llm(),
    memory: memory(),
    memoryCls: agents.ChatMemoryBuffer,
    tools: [tool],
    toolRetriever: { retrieve: () => [tool] },
    callbackManager: new core.CallbackManager(),
    maxIterations: 10,
    verbose: false,
    context: 'c',
    partial: {},
    reactChatFormatter: new agents.ReActChatFormatter(),
    outputParser: new agents.ReActOutputParser(),
    fn: () => ({}),
    params: { required: ['text'] },
    chatHistory: [],
    currentReasoning: [],
    systemHeader: 'h',
    formatter: object,
    prompt: object,
    postprocessor: object,
    variables: { topic: 'Paris' },
    completionToPrompt: (text: string) => text,
    messagesToPrompt: () => 'text',
    nodes: [new core.NodeWithScore({ node: node(), score: 0.5 })],
    queryBundle: new core.QueryBundle({ queryStr: 'Ann?', embedding: [1, 0] }),
    queryStr: 'Ann?',
    ner: () => [{ entity_group: 'PER', word: 'Ann' }],
    parser,
    documents,
    parsedNodes: await parser.getNodesFromDocuments(documents),
    showProgress: false,
    text: 'Ann lives in Paris.',
    nodeId: 'd',
    tableFilters: [() => true],
    tableElement: { element: '| a |' },
    ...(classesOf('Every model').includes(className) ? modelScope(object) : {}),
    ...(object instanceof agents.AgentRunner || object instanceof agents.ParallelAgentRunner
      ? await runnerScope(object as mainAgents.AgentRunner)
      : {}),
    ...(object && typeof object.initializeStep === 'function' ? await workerScope(object) : {}),
  }
}
