/**
 * Prints the type instantiations of an agent with ten tools of four fields, for each kind of schema, of a prompt of five
 * variables, and of custom models. Refuses more than the budgets.
 *
 * @example npm run type-cost
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

/** Returns the instantiations of a program inside of a package, where its dependencies are found. */
function instantiations(folder: string, source: string): number {
  const made = mkdtempSync(join(root, 'packages', folder, '.type-cost-'))
  try {
    writeFileSync(join(made, 'program.ts'), source)
    const config = { extends: '../../../tsconfig.base.json', include: ['program.ts'] }
    writeFileSync(join(made, 'tsconfig.json'), JSON.stringify(config))
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    const args = [tsc, '-p', join(made, 'tsconfig.json'), '--extendedDiagnostics']
    return Number(/^Instantiations:\s+(\d+)/m.exec(execFileSync(process.execPath, args, { encoding: 'utf8' }))?.[1])
  } finally {
    rmSync(made, { recursive: true })
  }
}

const many = (count: number, line: (i: number) => string) => Array.from({ length: count }, (_, i) => line(i)).join('\n')

interface Subject {
  what: string
  /** The most instantiations of one. */
  budget: number
  folder: string
  imports: string
  code: string
  /** How many the code has. @defaultValue 1 */
  count?: number
  /** A program whose instantiations are not ours. */
  others?: string
}

const agentImports =
  "import { FunctionTool, ReActAgent } from '@x/agents'\nimport type { BaseLLM } from '@x/core-model'\n"
const names = (i: number) => `city${i}, days${i}, unit${i}, exact${i}`

/** Ten tools with schemas of a library, without the cost of the schemas alone. */
function tools(library: string, from: string, schema: (i: number) => string): Subject {
  const tool = (i: number) =>
    `FunctionTool.fromDefaults({ name: 'tool${i}', schema: ${schema(i)}, fn: ({ ${names(i)} }) => [${names(i)}].length }),`
  return {
    what: `ten tools with ${library}`,
    budget: 6300,
    folder: 'agents',
    imports: `${from}${agentImports}`,
    code: `declare const llm: BaseLLM\nexport const agent = ReActAgent.fromTools({ llm, tools: [${many(10, tool)}] })`,
    others: `${from}declare class Schema { constructor(schema: object) }\nexport const schemas = [${many(10, (i) => `new Schema(${schema(i)}),`)}]`,
  }
}

/** Twenty prompts of five variables, each filled twice, once with a stored value. */
function prompts(kind: string, budget: number, make: (i: number) => string): Subject {
  const others = (i: number) => ['user', 'language', 'context', 'question'].map((name) => `${name}${i}: ''`).join(', ')
  const code = many(20, (i) => {
    const first = `role${i}: ''`
    return `export const p${i} = ${make(i)}
p${i}.format({ ${first}, ${others(i)} })
p${i}.partialFormat({ ${first} }).format({ ${others(i)} })`
  })
  const imports = "import { ChatPromptTemplate, PromptTemplate } from '@x/prompts'\n"
  return {
    what: `a ${kind} prompt of 5 variables, filled twice`,
    budget,
    folder: 'prompts',
    imports,
    code,
    count: 20,
  }
}

const subjects: Subject[] = [
  tools(
    'JSON Schema',
    '',
    (i) =>
      `{ type: 'object', properties: { city${i}: { type: 'string' }, days${i}: { type: 'integer' }, unit${i}: { enum: ['c', 'f'] }, exact${i}: { type: 'boolean' } }, required: ['city${i}', 'days${i}'] }`,
  ),
  tools(
    'TypeBox',
    "import * as Type from 'typebox'\n",
    (i) =>
      `Type.Object({ city${i}: Type.String(), days${i}: Type.Integer(), unit${i}: Type.Enum(['c', 'f']), exact${i}: Type.Optional(Type.Boolean()) })`,
  ),
  tools(
    'zod',
    "import * as z from 'zod'\n",
    (i) =>
      `z.object({ city${i}: z.string(), days${i}: z.int(), unit${i}: z.enum(['c', 'f']), exact${i}: z.boolean().optional() })`,
  ),
  prompts(
    'text',
    500,
    (i) =>
      `new PromptTemplate({ template: 'You are {role${i}} for {user${i}}. {{}} In {language${i}}:\\n{context${i}}\\n{question${i}}' })`,
  ),
  prompts(
    'chat',
    700,
    (i) =>
      `ChatPromptTemplate.fromMessages([['system', 'You are {role${i}} for {user${i}}. {{}}'], ['user', '{language${i}}: {context${i}}'], ['user', '{question${i}}']])`,
  ),
  prompts(
    'mapped',
    500,
    (i) =>
      `new PromptTemplate({ template: '{role${i}} {user${i}} {language${i}} {context_str${i}} {query_str${i}}', templateVarMappings: { context${i}: 'context_str${i}', question${i}: 'query_str${i}' } })`,
  ),
  {
    what: 'twenty own models of 5 fields, each made, read and asked for a field',
    budget: 20_000,
    folder: 'agents',
    imports: `import { Model } from '@x/core-model'
import { array, boolean, fields, integer, nullable, string } from '@x/core-model/fields'
`,
    code: many(
      20,
      (i) => `export class Own${i} extends fields(Model, 'Own${i}', {
  label${i}: string(), size${i}: integer({ minimum: 1, default: 40 }), room${i}: nullable(string()),
  open${i}: boolean({ default: false }), tags${i}: array(string(), { default: [] }),
}) {}
export const size${i} = new Own${i}({ label${i}: 'a' }).size${i} + Own${i}.fromDict({}).label${i}.length`,
    ),
  },
]

for (const { what, budget, folder, imports, code, count = 1, others } of subjects) {
  const imported = [...imports.matchAll(/import \{ (.*?) \}/g)].map(([, list]) => list).join(', ')
  const empty = instantiations(folder, `${imports}export const imported = [${imported}]\n`)
  const rest = others === undefined ? 0 : instantiations(folder, others)
  const cost = Math.round((instantiations(folder, `${imports}${code}\n`) - empty - rest) / count)
  console.log(`${cost > budget ? 'MISS' : 'ok  '} ${what}: ${cost} instantiations of ours (budget ${budget})`)
  if (cost > budget) process.exitCode = 1
}
