/** What `names.ts` accepts, and why. */

const engines = 'an application uses one of the engines; the same name means the same on each'

/** Names that several packages declare. */
export const sameNames: Readonly<Record<string, string>> = {
  AgentRun: engines,
  AgentWorkflowOptions: engines,
  IngestionWorkflowOptions: engines,
  agentWorkflow: engines,
  ingestionWorkflow: engines,
  openDatabase: 'an application uses one of the databases; the same name means the same on each',
}

const runner = 'the adapters state the methods of a runner that they call, and tools those of an agent behind them'
const saved = 'a saved task may contain any class with these methods, of which models are one kind'
const map = 'reads and writes of a map, as everywhere in JavaScript; what is stored differs'
const streams = 'streams of chats need a part of the stores of `@x/storage`, which chats do not depend on'
const vendor = 'the part of a class of another library that an adapter needs, with the names of that library'

/** Methods of interfaces of several packages, none of which extends the other. */
export const sameMethods: Readonly<Record<string, string>> = {
  begin: 'a writer of a stream begins one; a store of turns begins a turn',
  className: saved,
  close: vendor,
  conversation: runner,
  createTask: runner,
  delete: map,
  deleteMany: streams,
  format: vendor,
  formatMessages: vendor,
  fromDict: saved,
  get: map,
  getAll: map,
  getMany: streams,
  getPendingApprovals: runner,
  getNodes: 'ingestion needs a part of the stores of `@x/storage`, of which `DocumentStore` is another part',
  has: map,
  list: 'the tasks of a store, the chats of a user, and the skills of a source',
  loadTask: runner,
  parse:
    "an output parser reads a model's text; a parser of web-tree-sitter reads code, with the names of that library",
  partial: vendor,
  put: map,
  query: vendor,
  read: 'reads what the object holds: a reply, a request, turns, a skill',
  reader: 'reads the text of a stream, or the constructs of a document',
  resumeTask: runner,
  retrieve: 'a retriever of nodes accepts more options than one of objects',
  run: 'runs what the object is: a check, the work of an event, a pipeline',
  runComponent: 'a typed component has the same method with inferred types',
  runStep: vendor,
  runTask: runner,
  saveTask: runner,
  select: 'a prompt selects by the model, a selector by the question',
  send: 'sends a message, to a workflow or to a task',
  set: map,
  stop: 'ends what the object runs: the answer of a chat, the process of an engine',
  setTitle: 'the chats of a store, and those of one user',
  setCallbackManager: 'whatever reports events receives the manager',
  streamStep: runner,
  toDict: saved,
  transaction: streams,
}
