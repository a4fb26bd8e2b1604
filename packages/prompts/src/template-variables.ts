/**
 * @module
 * The variable names of a template, known to the compiler.
 */

import type { VariableFunction } from './variable-values.ts'

/** A value that has a text form. */
export type TemplateValue = string | number | bigint | boolean

/** The names in braces of a template; doubled braces are text. */
export type NamesIn<Template extends string, Found extends string = never> = Template extends `${infer _}{${infer Rest}`
  ? Rest extends `{${infer After}`
    ? NamesIn<After, Found>
    : Rest extends `${infer Name}}${infer After}`
      ? NamesIn<After, Found | Name>
      : Found
  : Found

/** The variable names of a template: in a literal template the declared ones that occur. Open when the compiler does not know. */
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

/** The variable names of message templates; open when the compiler does not know one of them. */
export type NamesOfMessages<
  Messages extends readonly unknown[],
  Declared extends string = never,
  Found extends string = never,
> = number extends Messages['length']
  ? string
  : Messages extends readonly [infer First, ...infer Rest]
    ? NamesOfMessages<Rest, Declared, Found | NamesOfMessage<First, Declared>>
    : Found

type NamesOfMessage<Message, Declared extends string> = Message extends { readonly content: infer Content }
  ? Content extends string
    ? NamesOf<Content, Declared>
    : Content extends null | undefined
      ? never
      : string
  : never

/** Names that a caller may use: a mapped name in place of the template's name. */
export type CallerNames<Names extends string, Mappings> = string extends keyof Mappings
  ? Names
  :
      | Exclude<Names, Mappings[keyof Mappings]>
      | ({ [Name in keyof Mappings]: Mappings[Name] extends Names ? Name : never }[keyof Mappings] & string)

/** The variables that a call must give: those of the template by caller name, without stored and computed ones. */
export type RequiredNames<Names extends string, Mappings, Given extends string> = Exclude<
  CallerNames<Names, Mappings>,
  Given
>

/** The variables of a call; open when the template is not known to the compiler. */
export type VariablesOf<Names extends string> = string extends Names
  ? Readonly<Record<string, unknown>>
  : { readonly [Name in Names]: TemplateValue }

/** The arguments of a formatting call: variables may be left out when none is needed. */
export type FormatArguments<Names extends string, Options> = [Names] extends [never]
  ? [vars?: Readonly<Record<string, unknown>>, options?: Options]
  : string extends Names
    ? [vars?: VariablesOf<Names>, options?: Options]
    : [vars: VariablesOf<Names>, options?: Options]

/** What a prompt knows of its variables, for the compiler. */
export interface VariableOptions<
  Mappings = Record<string, string>,
  Given extends string = string,
  Computed extends string = string,
  Declared extends string = string,
> {
  /** `literal`: exactly `{name}` of a name in `templateVars` is a variable, all other braces are text. */
  templateFormat?: 'literal' | null | undefined
  /** The variable names of a literal template. */
  templateVars?: readonly Declared[] | undefined
  /** Name that callers use → name in the template. */
  templateVarMappings?: Mappings | null | undefined
  /** Stored values: texts, or numbers that become texts. */
  vars?: Readonly<Record<Given, unknown>> | undefined
  /** Variable name → function of all values that gives its text; synchronous. */
  functionMappings?: Readonly<Record<Computed, VariableFunction>> | null | undefined
}
