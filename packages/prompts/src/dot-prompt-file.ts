/**
 * @module
 * Reads and writes `.prompt` files (Dotprompt): YAML in front, then a Handlebars template with roles, media and history.
 */
import { callback, checkOption, checkOptions, having, required, text as string } from '@x/core/options'
import { isPlainObject } from '@x/core/values'
import {
  type Dict,
  isFilePart,
  isImagePart,
  isInstance,
  isTextPart,
  ModelValidationError,
  messageText,
  NotSupportedError,
} from '@x/core-model'
import { parseTemplate } from '@x/core-model/text'
import { ChatPromptTemplate } from './chat-prompt-template.ts'
import type { DotPrompt, RenderedMessage } from './dot-prompt.ts'
import { type Context, type Output, readHandlebars } from './handlebars.ts'
import type { PromptTemplate } from './prompt-template.ts'

/** Options of `readDotPrompt`. */
interface ReadDotPromptOptions {
  /** Reads YAML, such as `parse` of the package `yaml`. Required for files with front matter. */
  parseYaml?: ((text: string) => unknown) | undefined
  /** The name of the variable with the earlier messages. @defaultValue 'messages' */
  history?: string | undefined
}

/** A prompt that was read from a file. */
export interface DotPromptFile extends DotPrompt {
  /** The data in front, such as `model`, `config`, `input` and `output`. */
  readonly frontMatter: Readonly<Dict>
  readonly template: string
  /** Renders the prompt. Values are inserted unchanged; a value that is null or missing is empty. */
  render(input: Readonly<Dict>): readonly RenderedMessage[]
}

/** Front matter, behind blank lines and comments such as a license. */
const frontMatterPattern = /^(?:(?:#[^\n]*|[ \t\r]*)\n)*---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/

/**
 * Reads a `.prompt` file, for `dotPrompt` and `ForeignPromptTemplate`. Variables, `#if`, `#unless`, `#each`, `role`, `media`, `history`,
 * `json`, `#ifEquals` and `#unlessEquals` are known. The variables of `input.default` need not be passed; those outside of blocks and
 * without a default must be. No code is executed, and values are not read as templates.
 * @throws {TemplateSyntaxError} for partials, other helpers, and blocks that are not closed.
 * @throws {NotSupportedError} for front matter without `parseYaml`.
 * @see https://google.github.io/dotprompt/
 * @example
 * const file = readDotPrompt('{{role "system"}}Be brief.{{role "user"}}{{question}}')
 * new ForeignPromptTemplate({ template: dotPrompt(file) }).formatMessages({ question: 'Why?' }).map(String)
 * // => ['system: Be brief.', 'user: Why?']
 */
export function readDotPrompt(source: string, options: ReadDotPromptOptions = {}): DotPromptFile {
  checkOption('readDotPrompt', 'source', source, required(string))
  checkOptions('readDotPrompt', options, { parseYaml: callback, history: string })
  const { parseYaml } = options
  const history = options.history ?? 'messages'
  const text = source.replace(/^\uFEFF/, '')
  const [whole, yaml] = frontMatterPattern.exec(text) ?? []
  if (yaml !== undefined && !parseYaml)
    throw new NotSupportedError(
      'readDotPrompt: the file has front matter; pass parseYaml, such as `parse` of the package yaml.',
    )
  const template = whole === undefined ? text : text.slice(whole.length).trim()
  const data = yaml === undefined ? {} : parseYaml!(yaml)
  const frontMatter = isPlainObject(data) ? data : {}
  const { default: defaults } = (isPlainObject(frontMatter['input']) ? frontMatter['input'] : {}) as {
    default?: unknown
  }
  const { render, names } = readHandlebars(template)
  return {
    frontMatter,
    template,
    inputVariables: names.filter((name) => name !== history),
    defaults: isPlainObject(defaults) ? defaults : {},
    render(input) {
      const out: Output[] = []
      const root: Context = { value: input, data: {}, parent: null }
      render(root, out)
      const earlier = Array.isArray(input[history]) ? (input[history] as unknown[]).map(renderedOf) : []
      return messagesOf(out, earlier)
    },
  }
}

/** Returns a message of a history in the form of rendered messages. */
function renderedOf(message: unknown): RenderedMessage {
  const { role, content } = Object(message)
  const parts = typeof content === 'string' ? [{ text: content }] : ((content ?? []) as readonly Dict[])
  return {
    role: role === 'assistant' ? 'model' : role,
    content: parts.map((part) =>
      isTextPart(part) ? { text: part.text } : isImagePart(part) ? { media: { url: part.image_url.url } } : part,
    ),
  }
}

/** Joins what a template has written to messages, with the rules of Dotprompt about empty ones and about the place of the history. */
function messagesOf(out: readonly Output[], earlier: readonly RenderedMessage[]): RenderedMessage[] {
  let current = { role: 'user', parts: [] as Dict[] }
  const messages: (typeof current | RenderedMessage)[] = [current]
  let hasHistory = false
  const begin = (role: string) => messages.push((current = { role, parts: [] }))
  for (const piece of joinedTexts(out)) {
    if ('role' in piece) begin(piece.role)
    else if ('history' in piece) {
      hasHistory ||= earlier.length > 0
      messages.push(...earlier)
      begin('model')
    } else if (!('text' in piece) || piece.text.trim() !== '') current.parts.push(piece as unknown as Dict)
  }
  const filled = messages.flatMap((message) =>
    'content' in message ? [message] : message.parts.length > 0 ? [{ role: message.role, content: message.parts }] : [],
  )
  if (hasHistory || earlier.length === 0) return filled
  const before = filled.at(-1)?.role === 'user' ? filled.length - 1 : filled.length
  return [...filled.slice(0, before), ...earlier, ...filled.slice(before)]
}

/** Joins text parts that follow each other. */
function joinedTexts(out: readonly Output[]): Output[] {
  const joined: Output[] = []
  for (const piece of out) {
    const last = joined.at(-1)
    if (last && 'text' in last && 'text' in piece) joined[joined.length - 1] = { text: last.text + piece.text }
    else joined.push(piece)
  }
  return joined
}

/** Options of `writeDotPrompt`. */
interface WriteDotPromptOptions {
  /** The data in front of the template, such as `{ model: 'googleai/gemini', config: { temperature: 0 } }`. */
  frontMatter?: Readonly<Dict> | undefined
  /** Writes YAML, such as `stringify` of the package `yaml`. @defaultValue JSON, which is YAML */
  stringifyYaml?: ((value: unknown) => string) | undefined
}

/**
 * Writes a text or chat prompt as a `.prompt` file. Stored values become `input.default`; a placeholder for earlier messages becomes
 * `{{history}}`.
 * @throws {NotSupportedError} for what the format cannot say: a literal template, examples, functions, mapped names, a parser, other parts
 * than text, images and files, empty text, braces beside variables, and names that Handlebars does not have.
 * @example
 * writeDotPrompt(ChatPromptTemplate.fromMessages([['system', 'Be {how}.'], ['user', '{q}']])) // => '{{role "system"~}}\nBe {{how}}.\n{{~role "user"~}}\n{{q}}'
 */
export function writeDotPrompt(
  // biome-ignore lint/suspicious/noExplicitAny: prompts with any variables
  prompt: PromptTemplate<any, any, any, any, any> | ChatPromptTemplate<any, any, any, any, any>,
  options: WriteDotPromptOptions = {},
): string {
  checkOption('writeDotPrompt', 'prompt', prompt, required('a prompt', 'format'))
  checkOptions('writeDotPrompt', options, { frontMatter: having('an object'), stringifyYaml: callback })
  const frontMatter = options.frontMatter ?? {}
  const stringifyYaml = options.stringifyYaml ?? ((value) => JSON.stringify(value, null, 2))
  const cannot = (what: string) => new NotSupportedError(`writeDotPrompt: the format has no ${what}.`)
  for (const field of ['templateFormat', 'functionMappings', 'templateVarMappings', 'outputParser'] as const)
    if (prompt[field] !== null) throw cannot(field)
  const body = isInstance(prompt, ChatPromptTemplate)
    ? chatBody(prompt as ChatPromptTemplate, cannot)
    : written((prompt as PromptTemplate).template, cannot)
  const { kwargs } = prompt
  const input = (frontMatter['input'] ?? {}) as Dict
  if (!isPlainObject(input))
    throw new ModelValidationError('writeDotPrompt', [
      { path: 'frontMatter.input', message: 'expected an object', code: 'type' },
    ])
  const data =
    Object.keys(kwargs).length === 0
      ? frontMatter
      : { ...frontMatter, input: { ...input, default: { ...(input['default'] as Dict), ...kwargs } } }
  if (Object.keys(data).length === 0 && !frontMatterPattern.test(body)) return body
  // What is behind front matter is read without white space at its ends.
  if (body !== body.trim()) throw cannot('white space at its ends, beside front matter')
  return `---\n${stringifyYaml(data).trimEnd()}\n---\n${body}`
}

type Cannot = (what: string) => NotSupportedError

function chatBody({ messageTemplates, placeholders }: ChatPromptTemplate, cannot: Cannot): string {
  const pieces: Piece[] = []
  const addPlaces = (at: number) => {
    for (const place of placeholders ?? []) {
      if (place.at !== at) continue
      if (place.messages !== null || place.variable !== 'messages') throw cannot('examples, and one history: messages')
      pieces.push({ tag: 'history' })
    }
  }
  for (const [index, { role, content, additionalKwargs }] of messageTemplates.entries()) {
    addPlaces(index)
    if (Object.keys(additionalKwargs).length > 0) throw cannot('extra data of messages')
    const parts: readonly unknown[] = Array.isArray(content)
      ? content
      : [{ type: 'text', text: messageText({ content }) }]
    pieces.push({ tag: `role ${JSON.stringify(role === 'assistant' ? 'model' : role)}` })
    for (const part of parts) {
      if (isTextPart(part)) {
        if (part.text.trim() === '') throw cannot('empty texts of messages')
        if ('text' in pieces.at(-1)!) throw cannot('texts that follow each other in a message')
        pieces.push({ text: written(part.text, cannot) })
      } else if (isImagePart(part)) pieces.push({ tag: `media url=${argument(part.image_url.url, cannot)}` })
      else if (isFilePart(part))
        pieces.push({
          tag: `media url=${argument(part.file.url, cannot)} contentType=${JSON.stringify(part.file.media_type)}`,
        })
      else throw cannot('parts of this type')
    }
  }
  addPlaces(messageTemplates.length)
  return inLines(pieces)
}

/** A part of a template: a tag without its braces, or a text as it is written. */
type Piece = { readonly tag: string } | { readonly text: string }

/** Joins pieces. Texts begin in lines of their own, which `~` takes away, unless they have white space there themselves. */
function inLines(pieces: readonly Piece[]): string {
  return pieces
    .map((piece, index) => {
      if ('text' in piece) return piece.text
      const [before, behind] = [pieces[index - 1], pieces[index + 1]]
      const open = before && 'text' in before ? (/\S$/.test(before.text) ? '\n{{~' : '{{') : before ? '\n{{' : '{{'
      return `${open}${piece.tag}${behind && 'text' in behind && /^\S/.test(behind.text) ? '~}}\n' : '}}'}`
    })
    .join('')
}

/** Returns a template with the braces of Handlebars. */
function written(template: string, cannot: Cannot): string {
  const { texts, names } = parseTemplate(template)
  return texts
    .map((text, index) => {
      if (/\{\{|[{\\]$/.test(text)) throw cannot('doubled braces in a text, and none before a variable')
      const name = names[index]
      return name === undefined ? text : `${text}{{${nameOf(name, cannot)}}}`
    })
    .join('')
}

/** Returns an address as the argument of a helper: a string, or the name of a variable. */
function argument(template: string, cannot: Cannot): string {
  const { texts, names } = parseTemplate(template)
  if (names.length === 0 && !/["\s]/.test(texts[0]!)) return `"${texts[0]}"`
  if (names.length === 1 && texts.every((text) => text === '')) return nameOf(names[0]!, cannot)
  throw cannot('address of several parts')
}

function nameOf(name: string, cannot: Cannot): string {
  if (!/^[A-Za-z_][\w-]*$/.test(name) || ['history', 'role', 'media', 'json', 'section', 'this', 'else'].includes(name))
    throw cannot(`variable "${name}"`)
  return name
}
