/**
 * @module
 * Types that compute the variable names of a Jinja template.
 */
import type { CallerNames } from '../template-variables.ts'

/** The arguments of a formatting call: `Required` must be passed. Any variables are allowed if the compiler does not know the template. */
export type RichArguments<Names extends string, Required extends string, Options> = string extends Names
  ? [vars?: Readonly<Record<string, unknown>>, options?: Options]
  : [Required] extends [never]
    ? [vars?: VariablesOf<Names, never>, options?: Options]
    : [vars: VariablesOf<Names, Required>, options?: Options]

type VariablesOf<Names extends string, Required extends string> = { readonly [Name in Required]: unknown } & {
  readonly [Name in Exclude<Names, Required>]?: unknown
}

/**
 * The variables of a call for a template that is a literal: those that are printed or repeated must be passed, except in a condition.
 * @example
 * const vars: RichVariables<'{{ name }}{% if title %}, {{ title }}{% endif %}'> = { name: 'Ada' }
 * vars.name // => 'Ada'
 */
export type RichVariables<Template extends string> = VariablesOf<RichNames<Template>, RequiredIn<Template>>

/** The names of callers for the variables of a template; `string` if the compiler does not know them. */
export type RichNames<Template extends string, Mappings = Record<string, string>> = string extends Template
  ? string
  : CallerNames<NamesOfTags<Tags<Template>>, Mappings>

/** The names that callers must pass: those that are printed or repeated, without `Known` ones; none if a missing value is empty. */
export type RichRequired<Template extends string, Mappings, Known extends string, Missing> = 'empty' extends Missing
  ? never
  : Exclude<CallerNames<RequiredIn<Template>, Mappings>, Known>

type Trim<Text extends string> = Text extends `${' ' | '\n' | '\t' | '-' | '+'}${infer Rest}`
  ? Trim<Rest>
  : Text extends `${infer Rest}${' ' | '\n' | '\t' | '-' | '+'}`
    ? Trim<Rest>
    : Text

/** The tags of a template in order: `['print', text]` and `['block', text]`. */
type Tags<Template extends string, Found extends readonly Tag[] = []> = Template extends `${infer _}{${infer Rest}`
  ? Rest extends `{${infer Inside}}}${infer After}`
    ? Tags<After, [...Found, ['print', Trim<Inside>]]>
    : Rest extends `%${infer Inside}%}${infer After}`
      ? Tags<After, [...Found, ['block', Trim<Inside>]]>
      : Rest extends `#${infer _}#}${infer After}`
        ? Tags<After, Found>
        : Tags<Rest, Found>
  : Found
type Tag<Kind extends string = 'print' | 'block'> = readonly [kind: Kind, text: string]

/** The name at the start of an expression of a name, look-ups and filters; `string` for other expressions. */
type Head<Text extends string> = Text extends `${infer Name}|${infer Filters}`
  ? AreFilters<Filters> extends true
    ? HeadOfPath<Trim<Name>>
    : string
  : HeadOfPath<Text>
/** Whether the text behind a name is filters whose arguments are literals. */
type AreFilters<Text extends string> =
  Text extends `${string} ${'if' | '~' | 'or' | 'and' | 'is' | '+' | '-' | '==' | 'in'} ${string}`
    ? false
    : Text extends `${string}(${infer Argument}${string}`
      ? Argument extends '"' | "'" | ')' | `${number}`
        ? true
        : false
      : true
type HeadOfPath<Text extends string> = Text extends `${infer Name}.${infer Path}`
  ? IsName<Path, Text> extends true
    ? HeadOfPath<Name>
    : string
  : IsName<Text, Text> extends true
    ? Text
    : string
type IsName<
  Text extends string,
  _Whole,
> = Text extends `${string}${' ' | '(' | '[' | '"' | "'" | '{' | '~' | '=' | ',' | '+' | '*' | '<' | '>'}${string}`
  ? false
  : Text extends '' | `${number}` | 'true' | 'false' | 'none' | 'True' | 'False' | 'None'
    ? false
    : true

/** All names that a template reads; `string` if an expression is not simple. */
export type NamesOfTags<
  All extends readonly Tag[],
  Defined extends string = 'loop',
  Found extends string = never,
> = All extends readonly [infer First extends Tag, ...infer Rest extends readonly Tag[]]
  ? First extends ['print', infer Text extends string]
    ? NamesOfTags<Rest, Defined, Found | Exclude<Head<Text>, Defined>>
    : First[1] extends `for ${infer Name} in ${infer Items}`
      ? NamesOfTags<Rest, Defined | SplitNames<Name>, Found | Exclude<Head<Trim<Items>>, Defined>>
      : First[1] extends `if ${infer Test}` | `elif ${infer Test}`
        ? NamesOfTags<Rest, Defined, Found | Exclude<Head<Trim<Test>>, Defined>>
        : First[1] extends `chat ${string}` | `end${string}` | 'else'
          ? NamesOfTags<Rest, Defined, Found>
          : string
  : Found

type SplitNames<Text extends string> = Text extends `${infer Name},${infer Rest}`
  ? Trim<Name> | SplitNames<Trim<Rest>>
  : Trim<Text>

/** The names that are printed or repeated outside of conditions. */
type RequiredIn<Template extends string> = RequiredOf<Tags<Template>>
type RequiredOf<
  All extends readonly Tag[],
  Defined extends string = 'loop',
  Found extends string = never,
  Ifs extends readonly unknown[] = [],
> = All extends readonly [infer First extends Tag, ...infer Rest extends readonly Tag[]]
  ? First[1] extends 'endif'
    ? RequiredOf<Rest, Defined, Found, Ifs extends [unknown, ...infer Outer] ? Outer : []>
    : First[1] extends `if ${string}`
      ? RequiredOf<Rest, Defined, Found, [...Ifs, 1]>
      : First extends ['print', infer Text extends string]
        ? RequiredOf<Rest, Defined, Found | NeededBy<Text, Defined, Ifs>, Ifs>
        : First[1] extends `for ${infer Name} in ${infer Items}`
          ? RequiredOf<Rest, Defined | SplitNames<Name>, Found | NeededBy<Trim<Items>, Defined, Ifs>, Ifs>
          : RequiredOf<Rest, Defined, Found, Ifs>
  : Found
type NeededBy<Text extends string, Defined extends string, Ifs extends readonly unknown[]> = Ifs extends []
  ? Text extends `${string}|${infer Filters}`
    ? Trim<Filters> extends `d` | `default${string}` | `d(${string}`
      ? never
      : Exclude<Head<Text>, Defined>
    : Exclude<Head<Text>, Defined>
  : never
