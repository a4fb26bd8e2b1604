/**
 * @module
 * Types that compute the variable names of a template.
 */

import type { MessagesPlaceholder } from './message-placeholders.ts'
import type { VariableFunction } from './variable-values.ts'

/** A value that has a string form. */
export type TemplateValue = string | number | bigint | boolean

/** The names in braces in a template. Doubled braces are text. */
export type NamesIn<Template extends string, Found extends string = never> = Template extends `${infer _}{${infer Rest}`
  ? Rest extends `{${infer After}`
    ? NamesIn<After, Found>
    : Rest extends `${infer Name}}${infer After}`
      ? NamesIn<After, Found | Name>
      : Found
  : Found

/**
 * The variable names of a template; in a literal template, the declared names that occur. `string` if the compiler does not know
 * them.
 */
export type NamesOf<Template extends string, Declared extends string = never> = string extends Template | Declared
  ? string
  : [Declared] extends [never]
    ? NamesIn<Template>
    : DeclaredIn<Template, Declared>

type DeclaredIn<Template extends string, Declared extends string> = Declared extends unknown
  ? Template extends `${string}{${Declared}}${string}`
    ? Declared
    : never
  : never

/** The variable names of message templates; `string` if the compiler does not know one of them. */
export type NamesOfMessages<
  Messages extends readonly unknown[],
  Declared extends string = never,
  Found extends string = never,
> = number extends Messages['length']
  ? string
  : Messages extends readonly [infer First, ...infer Rest]
    ? NamesOfMessages<Rest, Declared, Found | NamesOfMessage<First, Declared>>
    : Found

/** The variables whose values are messages or examples, by name. */
export type MessageVariables<Messages extends readonly unknown[]> = [PlaceholderIn<Messages>] extends [never]
  ? NoVariables
  : {
      readonly [Place in PlaceholderIn<Messages> as Place['optional'] extends true
        ? never
        : Place['placeholder']]: Exclude<Place['value'], undefined>
    } & {
      readonly [Place in PlaceholderIn<Messages> as Place['optional'] extends true
        ? Place['placeholder']
        : never]?: Place['value']
    }

/** The variables of messages without a placeholder for others. */
// biome-ignore lint/complexity/noBannedTypes: the identity of intersections of objects
type NoVariables = {}

type PlaceholderIn<Messages extends readonly unknown[]> = number extends Messages['length']
  ? never
  : Extract<Messages[number], MessagesPlaceholder>

/** Placeholders have no content. */
type NamesOfMessage<Message, Declared extends string> = Message extends { readonly content: infer Content }
  ? Content extends string
    ? NamesOf<Content, Declared>
    : Content extends null | undefined
      ? never
      : string
  : never

/** The names that callers use: a mapped name replaces the name in the template. */
export type CallerNames<Names extends string, Mappings> = string extends keyof Mappings
  ? Names
  :
      | Exclude<Names, Mappings[keyof Mappings]>
      | ({ [Name in keyof Mappings]: Mappings[Name] extends Names ? Name : never }[keyof Mappings] & string)

/** The variables that a call must pass, by caller name, without stored and computed variables. */
export type RequiredNames<Names extends string, Mappings, Given extends string> = Exclude<
  CallerNames<Names, Mappings>,
  Given
>

/** The type of the variables of a call. Any variables are allowed if the compiler does not know the template. */
type VariablesOf<Names extends string> = string extends Names
  ? Readonly<Record<string, unknown>>
  : { readonly [Name in Names]: TemplateValue }

/**
 * The values that `partialFormat` stores. A name that the template does not have is refused, unless a function of the prompt may read
 * it.
 */
export type StoredVariables<More extends string, Names extends string, Computed extends string> = Readonly<
  Record<More, unknown>
> &
  ([Computed] extends [never] ? { readonly [Name in Exclude<More, Names>]: never } : unknown)

/**
 * The arguments of a formatting call. The variables are optional if none is required; stored ones always are. `Messages` are the variables
 * that are messages.
 */
export type FormatArguments<
  Names extends string,
  Mappings,
  Given extends string,
  Computed extends string,
  Options,
  Messages = NoVariables,
> = ArgumentsOf<
  RequiredNames<Names, Mappings, Given | Computed>,
  Exclude<Extract<CallerNames<Names, Mappings>, Given>, Computed>,
  Options,
  Messages
>

type ArgumentsOf<Names extends string, Stored extends string, Options, Messages> = [Names] extends [never]
  ? NoVariables extends Messages
    ? [vars?: Readonly<Record<string, unknown>> & Messages, options?: Options]
    : [vars: Messages, options?: Options]
  : string extends Names
    ? [vars?: VariablesOf<Names>, options?: Options]
    : [vars: VariablesOf<Names> & OptionalOf<Stored> & Messages, options?: Options]

type OptionalOf<Names extends string> = [Names] extends [never]
  ? NoVariables
  : { readonly [Name in Names]?: TemplateValue }

/** The options that determine the variables of a prompt, with types for the compiler. */
export interface VariableOptions<
  Mappings = Record<string, string>,
  Given extends string = string,
  Computed extends string = string,
  Declared extends string = string,
> {
  /** `literal`: only `{name}` with a name in `templateVars` is a variable; all other braces are text. */
  templateFormat?: 'literal' | null | undefined
  /** The variable names of a literal template. */
  templateVars?: readonly Declared[] | undefined
  /** Maps the name that callers use to the name in the template. */
  templateVarMappings?: Mappings | null | undefined
  /** Stored values: strings, or numbers, which are converted to strings; what the template does not use may have any type. */
  vars?: Readonly<Record<Given, unknown>> | undefined
  /** Maps a variable name to a synchronous function that computes its value from all values. */
  functionMappings?: Readonly<Record<Computed, VariableFunction>> | null | undefined
}
