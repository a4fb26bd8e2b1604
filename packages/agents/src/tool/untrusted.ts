/**
 * @module
 * Text from outside: the outputs of tools that read pages, mails or files.
 */
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
  const wrapped: AsyncBaseTool & Partial<Pick<FunctionTool, 'toOutput'>> = {
    takesArguments: true,
    get metadata() {
      return own.metadata
    },
    get needsApproval() {
      return own.needsApproval
    },
    timeoutMs: own.timeoutMs,
    canWait: own.canWait,
    isDurable: own.isDurable,
    isExternal: own.isExternal,
    call: async (args, context) => untrustedOutput(await own.call(args, context)),
    ...(toOutput && {
      toOutput: async (...result) => untrustedOutput(await toOutput.apply(own as FunctionTool, result)),
    }),
  }
  return wrapped
}

/** Returns an output marked as text from outside. */
function untrustedOutput(output: ToolOutput): ToolOutput {
  const parts = output.parts?.map((part) => (isTextPart(part) ? { ...part, text: neutralized(part.text) } : part))
  return output.copy({ update: { content: neutralized(output.content), ...(parts && { parts }), untrusted: true } })
}

/** Whether a node is from a document with the metadata `untrusted: true`. */
export function isUntrusted({ metadata }: NodeWithScore['node']): boolean {
  return metadata['untrusted'] === true
}

/** Returns the text of such a node with its metadata, which make no further lines. */
export function untrustedContent(node: NodeWithScore['node']): string {
  const metadata = Object.entries(node.metadata).map(([key, value]) => [oneLine(key), oneLine(value)])
  return neutralized(node.copy({ update: { metadata: Object.fromEntries(metadata) } }).getContent('llm'))
}

const oneLine = <T>(value: T) =>
  typeof value === 'string' ? (value.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ') as T) : value
