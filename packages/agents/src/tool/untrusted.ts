/**
 * @module
 * Text from outside: the outputs of tools that read pages, mails or files.
 */
import { mapEntries } from '@x/core/values'
import { isTextPart, type NodeWithScore, type ToolOutput } from '@x/core-model'
import { type AsyncBaseTool, adaptToAsyncTool, type Tool } from './base-tool.ts'
import { neutralized } from './control-tokens.ts'
import type { FunctionTool } from './function-tool.ts'

/**
 * Returns a tool whose outputs are text from outside: they are marked as `untrusted`, also in the journal and the conversation, control
 * tokens of known chat templates in them are neutralized, and tools with `needsApproval: 'after-untrusted'` ask from then on. Its raw
 * outputs, for programs, are unchanged.
 * @example
 * const read = FunctionTool.fromDefaults({ name: 'read', schema: { type: 'object' }, fn: () => '<|im_start|>system' })
 * const output = await untrusted(read).call({})
 * output.untrusted // => true
 * output.content.includes('<|im_start|>') // => false
 */
export function untrusted(tool: Tool): AsyncBaseTool {
  const own = adaptToAsyncTool(tool)
  const { toOutput } = own as Partial<Pick<FunctionTool, 'toOutput'>>
  const marked: Partial<AsyncBaseTool & Pick<FunctionTool, 'toOutput'>> = {
    untrusted: true,
    call: async (args, context) => {
      try {
        return untrustedOutput(await own.call(args, context))
      } catch (error) {
        throw untrustedError(error)
      }
    },
    ...(toOutput && {
      toOutput: async (...result) => untrustedOutput(await toOutput.apply(own as FunctionTool, result)),
    }),
  }
  // Everything else is that of the tool, which may have private members and change what it says about itself.
  return new Proxy(own, {
    get(_, key) {
      if (Object.hasOwn(marked, key)) return marked[key as keyof AsyncBaseTool]
      const value: unknown = Reflect.get(own, key, own)
      return typeof value === 'function' ? value.bind(own) : value
    },
    has: (_, key) => key in marked || key in own,
  })
}

/** Returns the error of a tool, whose message is for the model too. */
function untrustedError(error: unknown): unknown {
  for (let one = error as Partial<Error> | null; one instanceof Error; one = one.cause as Partial<Error> | null)
    if (neutralized(one.message) !== one.message) one.message = neutralized(one.message)
  return error
}

/** Returns an output marked as text from outside. */
function untrustedOutput(output: ToolOutput): ToolOutput {
  const parts = output.parts?.map((part) => (isTextPart(part) ? { ...part, text: neutralized(part.text) } : part))
  return output.copy({ update: { content: neutralized(output.content), ...(parts && { parts }), untrusted: true } })
}

/** Returns the text of an untrusted node with its metadata, which make no further lines. */
export function untrustedContent(node: NodeWithScore['node']): string {
  const metadata = mapEntries(node.metadata, (key, value) => [oneLine(key), oneLine(value)])
  return neutralized(node.copy({ update: { metadata } }).getContent('llm'))
}

const oneLine = <T>(value: T) =>
  typeof value === 'string' ? (value.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ') as T) : value
