/** The cases of `nodes.json`. */
import { defineArea } from '../../case.ts'
import { documentStore } from './document-store.ts'
import { images } from './images.ts'
import { records } from './records.ts'
import { scores } from './scores.ts'
import { texts } from './texts.ts'

export const area = defineArea([records, texts, images, scores, documentStore], {
  nullIsAbsent: true,
  inputsStay: true,
})
