/**
 * @module
 * Frequent words of several languages that say little about a subject; for the option `stopWords` of `wordTokenizer`.
 */

/** Articles, pronouns, prepositions, conjunctions and auxiliary verbs of English, and parts of words such as "don't". */
export const englishStopWords: readonly string[] = /* @__PURE__ */ list(`
  a an the this that these those there here such
  i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
  it its itself they them their theirs themselves one ones who whom whose which what when where why how
  of in on at by for from to into onto with without within about over under between among through during before after
  above below against per via upon off up down out
  and or but nor so if then than as because while until although though whether however therefore thus hence also
  is are was were be been being am do does did done doing has have had having can could may might must shall should
  will would not no cannot
  all any each every both either neither some more most many much other another same few several own only very too just
  again once further still yet ever please give tell show using used`)

/** Articles, pronouns, prepositions, conjunctions and auxiliary verbs of German. */
export const germanStopWords: readonly string[] = /* @__PURE__ */ list(`
  der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner dieser diese dieses diesen diesem
  jener jene jenes jeder jede jedes jeden alle allen aller alles solche solcher manche mancher
  ich mich mir mein meine du dich dir dein deine er ihn ihm sein seine seinen seinem seiner sie ihr ihre ihren ihrem ihrer es
  wir uns unser unsere euch euer man sich selbst wer wen wem wessen was wann wo warum wie welche welcher welches welchen
  in im an am auf aus bei beim bis durch für gegen mit nach ohne seit über um unter von vom vor während wegen zu zum zur zwischen
  und oder aber sondern denn weil dass ob wenn als damit also doch dann da so nur auch noch schon sehr mehr hier dort
  ist sind war waren bin bist sei wird werden wurde wurden worden hat haben hatte hatten kann können konnte muss müssen soll
  sollen will wollen darf dürfen mag nicht`)

/** Articles, pronouns, prepositions, conjunctions and auxiliary verbs of French. */
export const frenchStopWords: readonly string[] = /* @__PURE__ */ list(`
  le la les l un une des du de d au aux ce cet cette ces c cela ça
  je j me m moi mon ma mes tu te t toi ton ta tes il elle on se s soi son sa ses lui nous notre nos vous votre vos ils elles
  leur leurs eux y en qui que qu quoi dont où quel quelle quels quelles quand comment pourquoi combien
  à dans par pour sur sous avec sans entre vers chez depuis pendant avant après contre
  et ou mais donc or ni car si comme ainsi aussi alors puis plus moins très tout toute tous toutes même autre autres
  est sont était étaient être été suis es sommes êtes sera seront a ont avait avaient avoir ai as avons avez eu aura fait peut
  ne n pas`)

/** Articles, pronouns, prepositions, conjunctions and auxiliary verbs of Spanish. */
export const spanishStopWords: readonly string[] = /* @__PURE__ */ list(`
  el la los las lo un una unos unas del al este esta esto estos estas ese esa eso esos esas aquel aquella
  yo me mi mis tú te tu tus él ella ello se su sus nos nosotros nuestro nuestra vosotros ellos ellas le les
  quien quienes que qué cual cuál cuales cuando cuándo donde dónde como cómo cuanto cuánto por porque
  a ante bajo con contra de desde durante en entre hacia hasta para según sin sobre tras
  y e o u pero sino ni si aunque pues también muy más menos ya así todo toda todos todas otro otra otros otras mismo
  es son era eran ser sido soy eres somos fue fueron será está están estar estaba ha han había haber he hay tiene tienen puede
  no`)

function list(words: string): string[] {
  return words.trim().split(/\s+/)
}
