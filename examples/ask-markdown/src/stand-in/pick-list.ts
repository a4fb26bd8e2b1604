/**
 * @module
 * Finds lists in the found passages: the items below a sentence such as "You can pay by:", and the steps of a section.
 */
import { placeText, plainText, readPlace } from '@x/retrieval/tables'
import type { TextPassage } from '../tools.ts'
import { stemsOf } from '../words.ts'
import { coverage, missingWords, type Question, type SubjectWord } from './question.ts'

/** A list with the sentence above it. */
export interface FoundList {
  /** The sentence directly above, or an empty string. */
  lead: string
  heading: string
  place: string
  items: { text: string; place: string }[]
  /** Whether the items are numbered. */
  isOrdered: boolean
}

const ITEM = /^(\s*)(?:[-*+]|(\d+)[.)])\s+(?:\[[ xX]\]\s+)?(.*)$/

/** Returns the lists of a passage, in order. */
function listsOf({ text, heading, place }: TextPassage): FoundList[] {
  const at = readPlace(place)
  const placed = (line: number) =>
    at ? placeText({ file: at.file, line: at.line + line, endLine: at.line + line }) : place
  const lists: FoundList[] = []
  let open: FoundList | null = null
  let lead = ''
  let isFenced = false
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced
    const [, indent = '', number, content] = (isFenced ? null : ITEM.exec(line)) ?? []
    if (content !== undefined && (open === null || indent.length < 2)) {
      if (open === null) {
        open = { lead: plainText(lead), heading, place: '', items: [], isOrdered: number !== undefined }
        lists.push(open)
      }
      open.items.push({ text: plainText(content), place: placed(index) })
    } else if (open && /^\s+\S/.test(line)) open.items.at(-1)!.text += ` ${plainText(line.replace(ITEM, '$3'))}`
    else if (line.trim() !== '') {
      lead = open || lead.endsWith(':') || /^#{1,6}\s/.test(lead) ? line : `${lead} ${line}`.trim()
      if (/^#{1,6}\s/.test(line)) lead = ''
      open = null
    }
  }
  for (const list of lists) {
    const [first, last] = [list.items[0]!, list.items.at(-1)!].map((item) => readPlace(item.place))
    list.place = first && last ? placeText({ file: first.file, line: first.line, endLine: last.endLine }) : place
  }
  return lists.map((list) => ({ ...list, lead: list.lead.endsWith(':') ? lastSentence(list.lead) : '' }))
}

function lastSentence(text: string): string {
  return text.split(/(?<=[.!?])\s+/).at(-1) ?? text
}

/** A list with the share of the question's subject in its sentence and headings. */
export interface ListChoice {
  list: FoundList
  coverage: number
  missing: SubjectWord[]
  /** Whether the sentence above the list contains the whole subject. */
  isAnnounced: boolean
}

/** Returns the list that matches a question best; null if no list shares enough with it. */
export function pickListInText(question: Question, passages: readonly TextPassage[]): ListChoice | null {
  const choices = passages.flatMap((passage) =>
    listsOf(passage).map((list) => {
      const own = list.heading.split(' > ').at(-1) ?? ''
      const stems = new Set([list.lead, list.heading, list.place].flatMap(stemsOf))
      const near = coverage(question, new Set([list.lead, own].flatMap(stemsOf)))
      const share = coverage(question, stems)
      return {
        list,
        coverage: share,
        missing: missingWords(question, stems),
        isAnnounced: coverage(question, new Set(stemsOf(list.lead))) === 1,
        worth: share * 2 + near + passage.score * 0.1,
      }
    }),
  )
  const best = choices.filter((one) => one.list.items.length > 1).sort((one, other) => other.worth - one.worth)[0]
  return best === undefined || best.coverage === 0 ? null : best
}
