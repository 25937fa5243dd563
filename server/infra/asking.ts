import { stopWords } from './terms.ts';

/** Words that ask, please or frame. They say nothing of the subject, so no document has to repeat them. */
const english = new Set([
  ...stopWords,
  ...`about above after again all almost already also always am another answer any anybody anyone anything around ask
  available back because become been before begin being between bit both came cannot come could couldn details did do does
  doing don done during each either else etc ever every everything exactly example explain fact far few find first for
  found further gave get gets getting give given gives go goes going gone good got had happen happens has have having hear
  hello help here hey hi hope how however i im info information inside interested into it its just keep kindly know known
  last least let like likely list little long look looking lot ll made mainly make makes making many may maybe me mean
  means meant might mind more most much must my name near need needed needs never next no none not nothing now often ok
  okay on once one only onto or other our out over own per perhaps please possible provide put question questions quite
  rather re really regarding right said same say says see seem shall she should show since so some somebody someone
  something sometime soon sorry still such suppose sure tell than thank thanks that the their them then there these they
  thing things think this those through time to too took toward towards tried try trying two u under understand unless
  until up upon ur us use used useful uses using usually ve very want wanted wants was way we well were what whatever
  whats when where whether which while who whom whose why will wish with within without won wonder wondering would
  wouldn yes yet you your yours able isn doesn didn aren can t s d m take takes taken taking run runs new old
  best better big bit case cases spend spent am im ive whats hows wheres
  early late later fast often always far strongly easily quickly exactly roughly approximately amount amounts react reacts maximum minimum total different various
  certain special specific hardly barely really actually simply directly immediately together alone currently nowadays instead else maybe possibly eventually own happens work works deal deals concerning regard mentioned called name named come comes call us kind type sort person people`.split(
    /\s+/,
  ),
]);

/** The same in Japanese, wherever they stand; longest first, so that いただけますか does not leave ますか behind. */
const japanese = new RegExp(
  `教えていただけ|教えてくださ|教えて|お教え|知りたい|知りたく|教え|説明して|聞きたい|お聞き|質問|について|に関して|に関する|
  くださいませ|ください|下さい|いただけ|いただき|いただく|頂け|頂き|でしょうか|でしょう|ですか|ますか|ですが|ますが|ました|ません|
  どのように|どのよう|どうすれば|どうやって|どうしたら|どうなり|どうなる|どうなって|どうして|どのくらい|どれくらい|どれぐらい|どのぐらい|どんな|どちら|どれ|どこ|どう|
  いつから|いつまで|いつ|なぜ|何故|なんで|なに|いくら|いくつ|だれ|誰|どなた|
  何時間|何時|何分|何日間|何日|何曜日|何年間|何年|何ヶ月|何か月|何月|何人|何名|何回|何円|何個|何校|何台|何色|何枚|何キロ|何歳|何|
  ありますか|あります|ある|ございますか|ございます|ございまし|できますか|できます|できる|でき|可能|大丈夫|いいですか|よいですか|良いですか|よろしい|よい|いい|
  なります|なりますか|なる|なった|します|しますか|したい|しました|している|して|する|した|します|れます|られます|
  という|とは|とき|時は|場合|ため|こと|もの|ところ|ほう|方法|やり方|仕方|意味|詳しく|詳細|情報|内容|おります|おり|います|いる|いま|
  何かあ|あげ|ご利用|利用|使用|使え|使う|使い|よろしく|お願いします|お願い|願い|すみません|恐れ入ります|申し訳|ありがとう|こんにちは|それ|これ|あれ|その|この|あの|だけど|だと|けど|んですが|のですが|んです|のは|
  思い|思う|必要|欲しい|ほしい|もらえ|もらい|もらう|くれ|わかり|分かり|分かる|わかる|今日|今|入れ|行っ|行け|行き|言え|貰え|対応|なら|だけ|ほど|ぐらい|くらい|まで|から|より`.replace(
    /\s+/g,
    '',
  ),
  'g',
);

const particles = /^(?:\p{Script=Hiragana}{1,2}|[\p{P}\s]*)$/u;

/** Whether a word, in lower case and not stemmed, only asks. */
export const isAsking = (word: string): boolean => english.has(word) || particles.test(word);

/** A text in NFKC and lower case with the Japanese words that ask made spaces, so that offsets stay. */
export const withoutAsking = (text: string): string => text.replace(japanese, (words) => ' '.repeat(words.length));

/** What is left of a question without the words that ask; in NFKC and lower case. */
export const subjectOf = (question: string): string =>
  withoutAsking(question.normalize('NFKC').toLowerCase()).replace(/[a-z]+/g, (word) =>
    english.has(word) ? ' ' : word,
  );

/** "And on Sundays?", "how much?": a question that leans on the one before it, or says nothing by itself. */
export function isFollowUp(question: string): boolean {
  return (
    leansOnBefore.test(question.trim()) ||
    !/[\p{L}\p{N}]/u.test(subjectOf(question).replace(/\p{Script=Hiragana}+/gu, ''))
  );
}

const leansOnBefore =
  /^(?:and|or|then|what about|how about|what if)\b|^(?:それ|その|では|じゃあ|じゃ|なら|ほか|他に|あと|ちなみに)|^[^。？?\n]{1,12}(?:は|だと|なら|の場合は)[？?]$/iu;
