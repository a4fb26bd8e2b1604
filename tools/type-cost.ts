/**
 * Prints the type instantiations of an agent with ten tools of four fields, for each kind of schema, of a prompt of five
 * variables, and of custom models. Refuses more than the budgets.
 *
 * @example npm run type-cost
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const BUDGET = 6300
/** Instantiations of one prompt with two calls of `format`. */
const PROMPT_BUDGET = 600
/** Instantiations of twenty own models of five fields. */
const OWN_MODELS_BUDGET = 20_000
const root = join(import.meta.dirname, '..')

const fields = (field: (name: string, i: number) => string, i: number) =>
  ['city', 'days', 'unit', 'exact'].map((name) => field(`${name}${i}`, i)).join(', ')

const kinds: Record<string, { imports: string; schema: (i: number) => string }> = {
  'JSON Schema': {
    imports: '',
    schema: (i) =>
      `{ type: 'object', properties: { city${i}: { type: 'string' }, days${i}: { type: 'integer' }, unit${i}: { enum: ['c', 'f'] }, exact${i}: { type: 'boolean' } }, required: ['city${i}', 'days${i}'] }`,
  },
  TypeBox: {
    imports: "import * as Type from 'typebox'",
    schema: (i) =>
      `Type.Object({ city${i}: Type.String(), days${i}: Type.Integer(), unit${i}: Type.Enum(['c', 'f']), exact${i}: Type.Optional(Type.Boolean()) })`,
  },
  zod: {
    imports: "import * as z from 'zod'",
    schema: (i) =>
      `z.object({ city${i}: z.string(), days${i}: z.int(), unit${i}: z.enum(['c', 'f']), exact${i}: z.boolean().optional() })`,
  },
}

function program({ imports, schema }: { imports: string; schema: (i: number) => string }, withTools: boolean): string {
  const tools = Array.from({ length: 10 }, (_, i) =>
    withTools
      ? `FunctionTool.fromDefaults({ name: 'tool${i}', schema: ${schema(i)}, fn: ({ ${fields((name) => name, i)} }) => [${fields((name) => name, i)}].length })`
      : `new FunctionToolSchema(${schema(i)})`,
  )
  return withTools
    ? `import { FunctionTool, ReActAgent } from '@x/agents'\nimport type { BaseLLM } from '@x/core-model'\n${imports}\ndeclare const llm: BaseLLM\nexport const agent = ReActAgent.fromTools({ llm, tools: [\n${tools.join(',\n')}\n] })\n`
    : `${imports}\ndeclare class FunctionToolSchema { constructor(schema: object) }\nexport const schemas = [\n${tools.join(',\n')}\n]\n`
}

function cost(source: string, inside = 'agents'): { instantiations: number; seconds: number } {
  // Inside the package, so that its dependencies are found.
  const folder = mkdtempSync(join(root, 'packages', inside, '.type-cost-'))
  try {
    writeFileSync(join(folder, 'program.ts'), source)
    const config = { extends: '../../../tsconfig.base.json', include: ['program.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const args = ['-p', join(folder, 'tsconfig.json'), '--extendedDiagnostics']
    const tsc = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'tsc.cmd' : 'tsc')
    const report = execFileSync(tsc, args, { encoding: 'utf8', shell: process.platform === 'win32' })
    const read = (name: string) => Number(new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(report)?.[1])
    return { instantiations: read('Instantiations'), seconds: read('Check time') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const empty = cost(
  "import { FunctionTool, ReActAgent } from '@x/agents'\nexport const names = [FunctionTool, ReActAgent]\n",
)
console.log(`The packages themselves: ${empty.instantiations} instantiations.`)
let missed = false
for (const [name, kind] of Object.entries(kinds)) {
  const all = cost(program(kind, true))
  const schemas = cost(program(kind, false))
  const own = all.instantiations - empty.instantiations - schemas.instantiations
  const total = all.instantiations - empty.instantiations
  const isOver = own > BUDGET
  missed ||= isOver
  console.log(
    `${isOver ? 'MISS' : 'ok  '} ten tools with ${name}: ${total} instantiations, of which ${own} are ours (budget ${BUDGET}); checked in ${all.seconds} s.`,
  )
}

/** Twenty prompts of five variables, each filled twice, once with a stored value. */
const variables = (i: number) => ['role', 'user', 'language', 'context', 'question'].map((name) => `${name}${i}`)
const given = (names: readonly string[]) => `{ ${names.map((name) => `${name}: ''`).join(', ')} }`
const promptKinds: Record<string, (i: number) => string> = {
  'text prompt': (i) =>
    `new PromptTemplate({ template: 'You are {role${i}} for {user${i}}. {{}} In {language${i}}:\\n{context${i}}\\n{question${i}}' })`,
  'chat prompt': (i) =>
    `ChatPromptTemplate.fromMessages([['system', 'You are {role${i}} for {user${i}}. {{}}'], ['user', '{language${i}}: {context${i}}'], ['user', '{question${i}}']])`,
  'mapped prompt': (i) =>
    `new PromptTemplate({ template: '{role${i}} {user${i}} {language${i}} {context_str${i}} {query_str${i}}', templateVarMappings: { context${i}: 'context_str${i}', question${i}: 'query_str${i}' } })`,
}
const promptImports = "import { ChatPromptTemplate, PromptTemplate } from '@x/prompts'\n"
const emptyPrompts = cost(`${promptImports}export const classes = [ChatPromptTemplate, PromptTemplate]\n`, 'prompts')
console.log(`The prompts package itself: ${emptyPrompts.instantiations} instantiations.`)
for (const [name, make] of Object.entries(promptKinds)) {
  const lines = Array.from({ length: 20 }, (_, i) => {
    const [first, ...others] = variables(i)
    return `export const p${i} = ${make(i)}
p${i}.format(${given(variables(i))})
p${i}.partialFormat({ ${first}: '' }).format(${given(others)})`
  })
  const all = cost(`${promptImports}${lines.join('\n')}\n`, 'prompts')
  const each = Math.round((all.instantiations - emptyPrompts.instantiations) / 20)
  const isOver = each > PROMPT_BUDGET
  missed ||= isOver
  console.log(
    `${isOver ? 'MISS' : 'ok  '} a ${name} of 5 variables, filled twice: ${each} instantiations (budget ${PROMPT_BUDGET}); twenty checked in ${all.seconds} s.`,
  )
}

/** Twenty own models of five fields, each made, read and asked for a field. */
const ownImports = `import { Model } from '@x/core-model'
import { array, boolean, fields, integer, nullable, string } from '@x/core-model/fields'
`
const ownModels = Array.from(
  { length: 20 },
  (_, i) => `export class Own${i} extends fields(Model, 'Own${i}', {
  label${i}: string(),
  size${i}: integer({ minimum: 1, default: 40 }),
  room${i}: nullable(string()),
  open${i}: boolean({ default: false }),
  tags${i}: array(string(), { default: [] }),
}) {}
export const size${i} = new Own${i}({ label${i}: 'a' }).size${i} + Own${i}.fromDict({}).label${i}.length`,
)
const emptyOwn = cost(`${ownImports}export const words = [Model, array, boolean, fields, integer, nullable, string]\n`)
const own = cost(`${ownImports}${ownModels.join('\n')}\n`)
const ownTotal = own.instantiations - emptyOwn.instantiations
const ownIsOver = ownTotal > OWN_MODELS_BUDGET
missed ||= ownIsOver
console.log(
  `${ownIsOver ? 'MISS' : 'ok  '} twenty own models of 5 fields: ${ownTotal} instantiations (budget ${OWN_MODELS_BUDGET}); checked in ${own.seconds} s.`,
)
process.exitCode = missed ? 1 : 0
