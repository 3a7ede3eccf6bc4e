<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ja_JP" sourcelanguage="en">
<context>
    <name>Action</name>
    <message>
        <source>Resume</source>
        <translation>再開</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>一時停止</translation>
    </message>
    <message>
        <source>Run now</source>
        <translation>今すぐ実行</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>確認済み</translation>
    </message>
    <message>
        <source>Withdraw</source>
        <translation>取り下げる</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>開く</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
</context>
<context>
    <name>Agent</name>
    <message>
        <source>Write to {name}…</source>
        <translation>{name} に書く…</translation>
    </message>
    <message>
        <source>Message to {name}</source>
        <translation>{name} へのメッセージ</translation>
    </message>
    <message>
        <source>Open its session</source>
        <translation>セッションを開く</translation>
    </message>
    <message>
        <source>Send (Enter)</source>
        <translation>送信 (Enter)</translation>
    </message>
    <message>
        <source>Stop what it does</source>
        <translation>作業を止める</translation>
    </message>
    <message>
        <source>The session is closed</source>
        <translation>セッションは閉じています</translation>
    </message>
    <message>
        <source>{count} waiting, the oldest goes first</source>
        <translation>{count} 件待機中（古いものから順に渡されます）</translation>
    </message>
    <message>
        <source>Take back</source>
        <translation>取り消す</translation>
    </message>
    <message>
        <source>Take back: {message}</source>
        <translation>取り消す: {message}</translation>
    </message>
    <message>
        <source>The agent asks: {question}</source>
        <translation>エージェントからの質問: {question}</translation>
    </message>
    <message>
        <source>may edit the Workspace</source>
        <translation>ワークスペースの編集を許可</translation>
    </message>
    <message>
        <source>The session ended</source>
        <translation>セッションは終了しました</translation>
    </message>
    <message>
        <source>{count} waiting</source>
        <translation>{count} 件待機中</translation>
    </message>
    <message>
        <source>Nothing was said yet</source>
        <translation>まだ何も話していません</translation>
    </message>
</context>
<context>
    <name>AgentSettings</name>
    <message>
        <source>Longest turn</source>
        <translation>1 ターンの最長時間</translation>
    </message>
    <message>
        <source>Keep its session open</source>
        <translation>セッションを開いたままにする</translation>
    </message>
    <message>
        <source>Allow workspace editing</source>
        <translation>ワークスペースの編集を許可する</translation>
    </message>
    <message>
        <source>Past turns</source>
        <translation>過去のターン</translation>
    </message>
    <message>
        <source>COMMAND</source>
        <translation>コマンド</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>プロバイダー</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>コマンド</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>モデル</translation>
    </message>
    <message>
        <source>the provider&apos;s own choice</source>
        <translation>プロバイダーに任せる</translation>
    </message>
    <message>
        <source>PROVIDER</source>
        <translation>プロバイダー</translation>
    </message>
    <message>
        <source>MODEL</source>
        <translation>モデル</translation>
    </message>
    <message>
        <source>LONGEST TURN</source>
        <translation>1 ターンの最長時間</translation>
    </message>
    <message>
        <source>It is opened again with the runtime, where a Running Schedule aims at it.</source>
        <translation>実行中のスケジュールの対象であれば、ランタイムの開始とともにまた開きます。</translation>
    </message>
    <message>
        <source>It may add, connect, rename and move Nodes, and set Schedules, which stay Paused.</source>
        <translation>ノードの追加・接続・名前の変更・移動と、スケジュールの設定ができます。スケジュールは一時停止のままです。</translation>
    </message>
    <message>
        <source>{label} – not installed</source>
        <translation>{label} – 未インストール</translation>
    </message>
    <message>
        <source>A quotation mark of the command is not closed</source>
        <translation>コマンドの引用符が閉じられていません</translation>
    </message>
</context>
<context>
    <name>Attempt</name>
    <message>
        <source>Choose an attempt to see what happened.</source>
        <translation>実行を選ぶと、何が起きたかが表示されます。</translation>
    </message>
    <message>
        <source>What was handed over</source>
        <translation>送信した内容</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>出力</translation>
    </message>
    <message>
        <source>HANDED OVER</source>
        <translation>送信内容</translation>
    </message>
    <message>
        <source>Attempt {number}</source>
        <translation>実行 {number}</translation>
    </message>
    <message>
        <source>and {count} more</source>
        <translation>ほか {count} 件</translation>
    </message>
    <message>
        <source>IT SAID NOTHING</source>
        <translation>何も話していません</translation>
    </message>
    <message>
        <source>ITS LAST MESSAGE</source>
        <translation>最後のメッセージ</translation>
    </message>
    <message>
        <source>OUTPUT</source>
        <translation>出力</translation>
    </message>
    <message>
        <source>NO OUTPUT WAS SEEN</source>
        <translation>出力なし</translation>
    </message>
    <message>
        <source>WHAT IT CALLED</source>
        <translation>呼び出したツール</translation>
    </message>
    <message>
        <source>OUTPUT (THE BEGINNING IS CUT)</source>
        <translation>出力(先頭は省略)</translation>
    </message>
</context>
<context>
    <name>Attention</name>
    <message>
        <source>{name} waits for your answer</source>
        <translation>{name} が回答を待っています</translation>
    </message>
</context>
<context>
    <name>Banner</name>
    <message>
        <source>Start the runtime</source>
        <translation>ランタイムを起動</translation>
    </message>
    <message>
        <source>{why}. Nothing fires until it runs again; what you see is as it was last known.</source>
        <translation>{why}。再び動くまで何も実行されません。表示されているのは最後にわかった状態です。</translation>
    </message>
</context>
<context>
    <name>Closing</name>
    <message>
        <source>Save “{name}”?</source>
        <translation>「{name}」を保存しますか?</translation>
    </message>
    <message>
        <source>It has changes that are not saved.</source>
        <translation>保存していない変更があります。</translation>
    </message>
    <message>
        <source>Save {count} Nodes?</source>
        <translation>{count} 個のノードを保存しますか?</translation>
    </message>
    <message>
        <source>They have changes that are not saved.</source>
        <translation>保存していない変更があります。</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>破棄</translation>
    </message>
    <message>
        <source>Close without sending?</source>
        <translation>送信せずに閉じますか?</translation>
    </message>
    <message>
        <source>What you wrote to {names} is not sent.</source>
        <translation>{names} に書いた内容は送信されていません。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>“{name}”</source>
        <translation>「{name}」</translation>
    </message>
</context>
<context>
    <name>Colour</name>
    <message>
        <source>Yellow</source>
        <translation>黄</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>緑</translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>青</translation>
    </message>
    <message>
        <source>Pink</source>
        <translation>ピンク</translation>
    </message>
</context>
<context>
    <name>Conflict</name>
    <message>
        <source>Edited elsewhere meanwhile. Nothing of yours was saved yet.</source>
        <translation>その間に別の場所で編集されました。あなたの変更はまだ保存されていません。</translation>
    </message>
    <message>
        <source>Take what is there</source>
        <translation>現在の内容を採用</translation>
    </message>
    <message>
        <source>Save mine over it</source>
        <translation>自分の内容で上書き保存</translation>
    </message>
</context>
<context>
    <name>Connect</name>
    <message>
        <source>Select one card first; then choose what to connect it to.</source>
        <translation>先にカードを 1 つ選択してから、接続先を選んでください。</translation>
    </message>
    <message>
        <source>Connect “{name}” to…</source>
        <translation>「{name}」の接続先…</translation>
    </message>
</context>
<context>
    <name>Connection</name>
    <message>
        <source>Environment variable</source>
        <translation>環境変数</translation>
    </message>
    <message>
        <source>That Connection was removed meanwhile.</source>
        <translation>その接続は、その間に削除されました。</translation>
    </message>
</context>
<context>
    <name>CronField</name>
    <message>
        <source>minute</source>
        <translation>分</translation>
    </message>
    <message>
        <source>hour</source>
        <translation>時</translation>
    </message>
    <message>
        <source>day-of-month</source>
        <translation>日</translation>
    </message>
    <message>
        <source>month</source>
        <translation>月</translation>
    </message>
    <message>
        <source>day-of-week</source>
        <translation>曜日</translation>
    </message>
</context>
<context>
    <name>Delete</name>
    <message>
        <source>The shell of “{name}” ends, with whatever runs in it.</source>
        <translation>「{name}」のシェルと、その中で動いているものは終了します。</translation>
    </message>
    <message>
        <source>The agent of “{name}” ends, with whatever it works on.</source>
        <translation>「{name}」のエージェントは、作業中のものとともに終了します。</translation>
    </message>
    <message>
        <source>“{name}” loses its history.</source>
        <translation>「{name}」の履歴は失われます。</translation>
    </message>
    <message>
        <source>What you typed in “{name}” is not saved.</source>
        <translation>「{name}」に入力した内容は保存されていません。</translation>
    </message>
    <message>
        <source>What you wrote to “{name}” is not sent.</source>
        <translation>「{name}」に書いた内容は送信されていません。</translation>
    </message>
    <message>
        <source>Delete {count} Nodes?</source>
        <translation>{count} 個のノードを削除しますか?</translation>
    </message>
    <message>
        <source>Delete “{name}”?</source>
        <translation>「{name}」を削除しますか?</translation>
    </message>
    <message>
        <source>Undo brings the cards back, but not that.</source>
        <translation>元に戻すとカードは戻りますが、これらは戻りません。</translation>
    </message>
    <message>
        <source>Undo “{step}”?</source>
        <translation>「{step}」を元に戻しますか？</translation>
    </message>
    <message>
        <source>Redo brings the cards back, but not that.</source>
        <translation>やり直すとカードは戻りますが、これらは戻りません。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>元に戻す</translation>
    </message>
    <message>
        <source>Redo “{step}”?</source>
        <translation>「{step}」をやり直しますか？</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>やり直す</translation>
    </message>
    <message>
        <source>And {count} more.</source>
        <translation>ほか {count} 件。</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>削除</translation>
    </message>
</context>
<context>
    <name>Document</name>
    <message>
        <source>Nothing is known of it</source>
        <translation>まだ何もわかりません</translation>
    </message>
    <message>
        <source>It cannot be read just now</source>
        <translation>今は読めません</translation>
    </message>
    <message>
        <source>{size} · changed {when}</source>
        <translation>{size} · 変更 {when}</translation>
    </message>
    <message>
        <source>There is no file there any more</source>
        <translation>ファイルがなくなっています</translation>
    </message>
    <message>
        <source>Not written yet</source>
        <translation>まだ書かれていません</translation>
    </message>
</context>
<context>
    <name>Duration</name>
    <message>
        <source>Unit</source>
        <translation>単位</translation>
    </message>
    <message>
        <source>second</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>minute</source>
        <translation>分</translation>
    </message>
    <message>
        <source>hour</source>
        <translation>時間</translation>
    </message>
    <message>
        <source>day</source>
        <translation>日</translation>
    </message>
    <message>
        <source>week</source>
        <translation>週間</translation>
    </message>
    <message>
        <source>seconds</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>minutes</source>
        <translation>分</translation>
    </message>
    <message>
        <source>hours</source>
        <translation>時間</translation>
    </message>
    <message>
        <source>days</source>
        <translation>日</translation>
    </message>
    <message>
        <source>weeks</source>
        <translation>週間</translation>
    </message>
</context>
<context>
    <name>Editor</name>
    <message>
        <source>Name</source>
        <translation>名前</translation>
    </message>
    <message>
        <source>History</source>
        <translation>履歴</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>閉じる (Esc)</translation>
    </message>
    <message>
        <source>no target connected</source>
        <translation>ターゲット未接続</translation>
    </message>
    <message>
        <source>to {target}</source>
        <translation>→ {target}</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>スケジュール</translation>
    </message>
    <message>
        <source>WHEN</source>
        <translation>いつ</translation>
    </message>
    <message>
        <source>NEXT OCCURRENCES</source>
        <translation>次回以降の予定</translation>
    </message>
    <message>
        <source>Save (Ctrl+Enter); nothing starts by saving</source>
        <translation>保存 (Ctrl+Enter)。保存しただけでは何も始まりません</translation>
    </message>
    <message>
        <source>—</source>
        <translation>—</translation>
    </message>
    <message>
        <source>That time has passed: choose one in the future.</source>
        <translation>その時刻は過ぎています。先の時刻を選んでください。</translation>
    </message>
    <message>
        <source>Save first</source>
        <translation>先に保存してください</translation>
    </message>
    <message>
        <source>Saved. It is Paused: nothing starts until you resume it.</source>
        <translation>保存しました。一時停止中です。再開するまで何も始まりません。</translation>
    </message>
    <message>
        <source>Saved. The next time stays {time}.</source>
        <translation>保存しました。次回は {time} のままです。</translation>
    </message>
    <message>
        <source>Saved. The next time was {before} and is now {after}.</source>
        <translation>保存しました。次回は {before} から {after} に変わりました。</translation>
    </message>
    <message>
        <source>none</source>
        <translation>なし</translation>
    </message>
</context>
<context>
    <name>Empty</name>
    <message>
        <source>Open a folder…</source>
        <translation>フォルダーを開く…</translation>
    </message>
    <message>
        <source>No Workspace yet</source>
        <translation>ワークスペースはまだありません</translation>
    </message>
    <message>
        <source>A Workspace is a folder of yours, with Schedules and Terminals around it.</source>
        <translation>ワークスペースは、あなたのフォルダーとそれを囲むスケジュールやターミナルです。</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>起動中…</translation>
    </message>
    <message>
        <source>The runtime is on its way.</source>
        <translation>ランタイムを起動しています。</translation>
    </message>
</context>
<context>
    <name>Find</name>
    <message>
        <source>Find by name, payload, place…</source>
        <translation>名前、内容、場所で検索…</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>検索</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>{number} of {count}</source>
        <translation>{number} / {count}</translation>
    </message>
    <message>
        <source>None</source>
        <translation>なし</translation>
    </message>
</context>
<context>
    <name>Guardrail</name>
    <message>
        <source>Guardrail: the agent may read the Specification, and not change it</source>
        <translation>ガードレール: エージェントは仕様書を読めますが、変更できません</translation>
    </message>
    <message>
        <source>Guardrail: the agent may read the Sticky Note, and not change it</source>
        <translation>ガードレール: エージェントは付箋を読めますが、変更できません</translation>
    </message>
    <message>
        <source>Guardrail: the agent may look at the Terminal, and run nothing in it</source>
        <translation>ガードレール: エージェントはターミナルを見られますが、何も実行できません</translation>
    </message>
    <message>
        <source>Guardrail: the agent may read the File, and not change it</source>
        <translation>ガードレール: エージェントはファイルを読めますが、変更できません</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>State of the Workspace</source>
        <translation>ワークスペースの状態</translation>
    </message>
    <message>
        <source>Nothing fires now</source>
        <translation>現在は何も実行されません</translation>
    </message>
    <message>
        <source>Nothing is due</source>
        <translation>予定なし</translation>
    </message>
    <message>
        <source>{name} in {time}</source>
        <translation>{name} まで {time}</translation>
    </message>
</context>
<context>
    <name>Hint</name>
    <message>
        <source>Nothing on this canvas yet</source>
        <translation>このキャンバスにはまだ何もありません</translation>
    </message>
    <message>
        <source>Double-click anywhere, or press {key}, to add a Schedule, a Terminal or a CodingAgent.</source>
        <translation>どこかをダブルクリックするか {key} キーを押すと、スケジュールやターミナル、コーディングエージェントを追加できます。</translation>
    </message>
</context>
<context>
    <name>History</name>
    <message>
        <source>All results</source>
        <translation>すべての結果</translation>
    </message>
    <message>
        <source>Which results</source>
        <translation>表示する結果</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>閉じる (Esc)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>History</source>
        <translation>履歴</translation>
    </message>
    <message>
        <source>Attempts</source>
        <translation>実行の一覧</translation>
    </message>
    <message>
        <source>History of {name}</source>
        <translation>「{name}」の履歴</translation>
    </message>
    <message>
        <source>Nothing has happened yet</source>
        <translation>まだ何も起きていません</translation>
    </message>
    <message>
        <source>None with this result</source>
        <translation>この結果のものはありません</translation>
    </message>
    <message>
        <source>the latest {count}</source>
        <translation>最新 {count} 件</translation>
    </message>
    <message>
        <source>{state}, dismissed</source>
        <translation>{state}、確認済み</translation>
    </message>
    <message>
        <source>waits: {reason}</source>
        <translation>待機: {reason}</translation>
    </message>
    <message>
        <source>stands for {count} times</source>
        <translation>{count} 回分</translation>
    </message>
    <message>
        <source>RESULT</source>
        <translation>結果</translation>
    </message>
    <message>
        <source>PLANNED</source>
        <translation>予定</translation>
    </message>
    <message>
        <source>TRIGGER</source>
        <translation>きっかけ</translation>
    </message>
    <message>
        <source>DELIVERED</source>
        <translation>送信</translation>
    </message>
    <message>
        <source>LATE</source>
        <translation>遅れ</translation>
    </message>
    <message>
        <source>RAN</source>
        <translation>所要</translation>
    </message>
    <message>
        <source>EXIT</source>
        <translation>終了</translation>
    </message>
    <message>
        <source>DIAGNOSTIC</source>
        <translation>診断</translation>
    </message>
    <message>
        <source>scheduled</source>
        <translation>予定</translation>
    </message>
    <message>
        <source>manual</source>
        <translation>手動</translation>
    </message>
    <message>
        <source>follow-up</source>
        <translation>後続</translation>
    </message>
    <message>
        <source>swarm</source>
        <translation>スウォーム</translation>
    </message>
</context>
<context>
    <name>Keys</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>キーボードショートカット</translation>
    </message>
    <message>
        <source>Keys and gestures</source>
        <translation>キーと操作</translation>
    </message>
    <message>
        <source>On the canvas</source>
        <translation>キャンバス上</translation>
    </message>
    <message>
        <source>In a Terminal</source>
        <translation>ターミナルで</translation>
    </message>
    <message>
        <source>Agents and texts</source>
        <translation>エージェントとテキスト</translation>
    </message>
    <message>
        <source>Add and connect</source>
        <translation>追加と接続</translation>
    </message>
    <message>
        <source>Add at the pointer…</source>
        <translation>ポインターの位置に追加…</translation>
    </message>
    <message>
        <source>Add a Schedule</source>
        <translation>スケジュールを追加</translation>
    </message>
    <message>
        <source>Add a CodingAgent</source>
        <translation>コーディングエージェントを追加</translation>
    </message>
    <message>
        <source>Add a Terminal</source>
        <translation>ターミナルを追加</translation>
    </message>
    <message>
        <source>Add a Specification</source>
        <translation>仕様書を追加</translation>
    </message>
    <message>
        <source>Add a File</source>
        <translation>ファイルを追加</translation>
    </message>
    <message>
        <source>Add a Sticky Note</source>
        <translation>付箋を追加</translation>
    </message>
    <message>
        <source>Connect to…</source>
        <translation>接続…</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>編集</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>開く</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>名前を変更</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>削除</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>元に戻す</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>やり直す</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>すべて選択</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>検索</translation>
    </message>
    <message>
        <source>Next agent that asks</source>
        <translation>次の質問中のエージェント</translation>
    </message>
    <message>
        <source>This sheet</source>
        <translation>この一覧</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>メニュー</translation>
    </message>
    <message>
        <source>Next card, card before</source>
        <translation>次のカード、前のカード</translation>
    </message>
    <message>
        <source>Move the selected cards, or the canvas</source>
        <translation>選択したカード、またはキャンバスを移動</translation>
    </message>
    <message>
        <source>Arrows</source>
        <translation>矢印キー</translation>
    </message>
    <message>
        <source>Move them further</source>
        <translation>大きく移動</translation>
    </message>
    <message>
        <source>Shift + arrows</source>
        <translation>Shift + 矢印キー</translation>
    </message>
    <message>
        <source>Go to the next card that way</source>
        <translation>その方向の次のカードへ</translation>
    </message>
    <message>
        <source>Alt + arrows</source>
        <translation>Alt + 矢印キー</translation>
    </message>
    <message>
        <source>Add here</source>
        <translation>ここに追加</translation>
    </message>
    <message>
        <source>Double click</source>
        <translation>ダブルクリック</translation>
    </message>
    <message>
        <source>Leave a gesture or the selection</source>
        <translation>操作や選択を取り消す</translation>
    </message>
    <message>
        <source>Move the canvas</source>
        <translation>キャンバスを移動</translation>
    </message>
    <message>
        <source>Space + drag, or the wheel</source>
        <translation>Space + ドラッグ、またはホイール</translation>
    </message>
    <message>
        <source>Zoom at the pointer</source>
        <translation>ポインターの位置で拡大・縮小</translation>
    </message>
    <message>
        <source>Ctrl + wheel, or pinch</source>
        <translation>Ctrl + ホイール、またはピンチ</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>接続</translation>
    </message>
    <message>
        <source>Drag from a handle</source>
        <translation>ハンドルからドラッグ</translation>
    </message>
    <message>
        <source>Select several</source>
        <translation>複数選択</translation>
    </message>
    <message>
        <source>Shift + click, or drag a box</source>
        <translation>Shift + クリック、または範囲をドラッグ</translation>
    </message>
    <message>
        <source>Write to an agent, edit a text</source>
        <translation>エージェントに書く・テキストを編集</translation>
    </message>
    <message>
        <source>Enter, or double click</source>
        <translation>Enter またはダブルクリック</translation>
    </message>
    <message>
        <source>Send, new line</source>
        <translation>送信・改行</translation>
    </message>
    <message>
        <source>Save a text</source>
        <translation>テキストを保存</translation>
    </message>
    <message>
        <source>Use the selected one</source>
        <translation>選択したものを使う</translation>
    </message>
    <message>
        <source>Enter, or a click into it</source>
        <translation>Enter、または中をクリック</translation>
    </message>
    <message>
        <source>Back to the canvas</source>
        <translation>キャンバスに戻る</translation>
    </message>
    <message>
        <source>Copy, paste</source>
        <translation>コピー、貼り付け</translation>
    </message>
    <message>
        <source>Scroll</source>
        <translation>スクロール</translation>
    </message>
    <message>
        <source>Shift + Page Up, or the wheel</source>
        <translation>Shift + Page Up、またはホイール</translation>
    </message>
    <message>
        <source>Larger, smaller</source>
        <translation>大きく、小さく</translation>
    </message>
    <message>
        <source>Ctrl + Shift + arrows, or the corner</source>
        <translation>Ctrl + Shift + 矢印キー、または角をドラッグ</translation>
    </message>
    <message>
        <source>Mark despite a program</source>
        <translation>プログラムに渡さず選択</translation>
    </message>
    <message>
        <source>Shift + drag</source>
        <translation>Shift + ドラッグ</translation>
    </message>
    <message>
        <source>Schedules</source>
        <translation>スケジュール</translation>
    </message>
    <message>
        <source>View</source>
        <translation>表示</translation>
    </message>
</context>
<context>
    <name>Kind</name>
    <message>
        <source>Schedule</source>
        <translation>スケジュール</translation>
    </message>
    <message>
        <source>CodingAgent</source>
        <translation>コーディングエージェント</translation>
    </message>
    <message>
        <source>Terminal</source>
        <translation>ターミナル</translation>
    </message>
    <message>
        <source>File</source>
        <translation>ファイル</translation>
    </message>
    <message>
        <source>Sticky Note</source>
        <translation>付箋</translation>
    </message>
    <message>
        <source>Specification</source>
        <translation>仕様書</translation>
    </message>
</context>
<context>
    <name>Link</name>
    <message>
        <source>the runtime is gone</source>
        <translation>ランタイムが応答しなくなりました</translation>
    </message>
    <message>
        <source>the runtime was stopped</source>
        <translation>ランタイムは停止しています</translation>
    </message>
</context>
<context>
    <name>Menu</name>
    <message>
        <source>Disconnect</source>
        <translation>接続を解除</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>色</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状態</translation>
    </message>
    <message>
        <source>Stop what it does</source>
        <translation>作業を止める</translation>
    </message>
    <message>
        <source>Open its session</source>
        <translation>セッションを開く</translation>
    </message>
    <message>
        <source>Close its session</source>
        <translation>セッションを閉じる</translation>
    </message>
    <message>
        <source>Keep its session open</source>
        <translation>セッションを開いたままにする</translation>
    </message>
    <message>
        <source>Allow workspace editing</source>
        <translation>ワークスペースの編集を許可する</translation>
    </message>
    <message>
        <source>Rename the variable {name}…</source>
        <translation>変数 {name} の名前を変更…</translation>
    </message>
    <message>
        <source>Restart the shell</source>
        <translation>シェルを再起動</translation>
    </message>
    <message>
        <source>Close the shell</source>
        <translation>シェルを閉じる</translation>
    </message>
    <message>
        <source>Start the shell</source>
        <translation>シェルを起動</translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <source>Add a {kind}</source>
        <translation>{kind}を追加</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>ツール</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>検索</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>元に戻す</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>やり直す</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>キーボードショートカット</translation>
    </message>
</context>
<context>
    <name>Paste</name>
    <message>
        <source>They arrive as one text, and nothing is run before Enter is pressed.</source>
        <translation>ひとつのテキストとして入り、Enter を押すまで何も実行されません。</translation>
    </message>
    <message>
        <source>Each line is run as soon as it arrives.</source>
        <translation>各行は、入るとすぐに実行されます。</translation>
    </message>
    <message>
        <source>Paste {count} lines?</source>
        <translation>{count} 行を貼り付けますか?</translation>
    </message>
    <message>
        <source>You are asked once for each Terminal.</source>
        <translation>この確認はターミナルごとに一度だけです。</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>貼り付け</translation>
    </message>
</context>
<context>
    <name>Payload</name>
    <message>
        <source>COMMAND OR PROMPT</source>
        <translation>コマンドまたはプロンプト</translation>
    </message>
    <message>
        <source>What to hand over. Connect one target to say to whom.</source>
        <translation>送信する内容。誰に送るかは、ターゲットを 1 つ接続して決めます。</translation>
    </message>
    <message>
        <source>PROMPT FOR {name}</source>
        <translation>{name} へのプロンプト</translation>
    </message>
    <message>
        <source>The aim, what to look at, what evidence you want, when to stop</source>
        <translation>目的、見るべきもの、求める証拠、終える条件</translation>
    </message>
    <message>
        <source>COMMAND FOR {name}</source>
        <translation>{name} へのコマンド</translation>
    </message>
    <message>
        <source>A shell command that ends by itself, such as: make test</source>
        <translation>自分で終わるシェルコマンド。例: make test</translation>
    </message>
</context>
<context>
    <name>Policies</name>
    <message>
        <source>The one that waits stays</source>
        <translation>待っているほうを残す</translation>
    </message>
    <message>
        <source>The newer one takes its place</source>
        <translation>新しいほうに置き換える</translation>
    </message>
    <message>
        <source>Only record it as Missed</source>
        <translation>未実行として記録するだけ</translation>
    </message>
    <message>
        <source>Run the latest one, once</source>
        <translation>最新の 1 回だけ実行する</translation>
    </message>
    <message>
        <source>Misfire grace</source>
        <translation>遅れの許容</translation>
    </message>
    <message>
        <source>No grace: late is Missed</source>
        <translation>許容なし: 遅れたら未実行</translation>
    </message>
    <message>
        <source>Give up waiting after</source>
        <translation>待つのをやめるまでの時間を決める</translation>
    </message>
    <message>
        <source>Pending limit</source>
        <translation>待機の上限</translation>
    </message>
    <message>
        <source>A TIME COMES WHILE AN EARLIER ONE STILL WAITS</source>
        <translation>前の回がまだ待っている間に時刻が来たら</translation>
    </message>
    <message>
        <source>A TIME PASSES WHILE NOTHING CAN RUN</source>
        <translation>何も実行できない間に時刻が過ぎたら</translation>
    </message>
    <message>
        <source>HOW LATE A TIME MAY START</source>
        <translation>どれだけ遅れて始めてよいか</translation>
    </message>
    <message>
        <source>HOW LONG IT MAY WAIT FOR A BUSY TARGET</source>
        <translation>使用中のターゲットをどれだけ待つか</translation>
    </message>
    <message>
        <source>When it cannot run at once</source>
        <translation>すぐに実行できないとき</translation>
    </message>
    <message>
        <source>a waiting time stays</source>
        <translation>待っている回を残す</translation>
    </message>
    <message>
        <source>a newer time replaces a waiting one</source>
        <translation>新しい回が待っている回に代わる</translation>
    </message>
    <message>
        <source>no catch-up</source>
        <translation>後からの実行なし</translation>
    </message>
    <message>
        <source>the latest missed time runs once</source>
        <translation>逃した最新の回を一度実行</translation>
    </message>
    <message>
        <source>at most {time} late</source>
        <translation>遅れは {time} まで</translation>
    </message>
    <message>
        <source>waits as long as it takes</source>
        <translation>いつまでも待つ</translation>
    </message>
    <message>
        <source>waits at most {time}</source>
        <translation>待つのは {time} まで</translation>
    </message>
    <message>
        <source>{policies}.</source>
        <translation>{policies}。</translation>
    </message>
    <message>
        <source>{policies} (the defaults).</source>
        <translation>{policies}(既定値)。</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
</context>
<context>
    <name>Preview</name>
    <message>
        <source>Comes with this change</source>
        <translation>この変更で加わる</translation>
    </message>
    <message>
        <source>Leaves with this change</source>
        <translation>この変更でなくなる</translation>
    </message>
</context>
<context>
    <name>Providers</name>
    <message>
        <source>Not on the runtime&apos;s PATH</source>
        <translation>ランタイムの PATH にありません</translation>
    </message>
    <message>
        <source>Not installed: {command}</source>
        <translation>未インストール: {command}</translation>
    </message>
    <message>
        <source>{label} is at {path}, which is not on the PATH that the runtime was started with. Restart the runtime: kavor runtime stop, then kavor runtime start. Open shells live on.</source>
        <translation>{label} は {path} にありますが、ランタイムが起動したときの PATH には含まれていません。ランタイムを再起動してください: kavor runtime stop の後に kavor runtime start。開いているシェルはそのまま残ります。</translation>
    </message>
    <message>
        <source>{label} is not installed. Install it, then choose it again: {command}</source>
        <translation>{label} はインストールされていません。インストールしてから、もう一度選んでください: {command}</translation>
    </message>
    <message>
        <source>{command} (needs {needs})</source>
        <translation>{command}（{needs} が必要）</translation>
    </message>
</context>
<context>
    <name>Question</name>
    <message>
        <source>Cancel</source>
        <translation>キャンセル</translation>
    </message>
</context>
<context>
    <name>QuickAdd</name>
    <message>
        <source>Add…</source>
        <translation>追加…</translation>
    </message>
    <message>
        <source>Add and connect…</source>
        <translation>追加して接続…</translation>
    </message>
    <message>
        <source>Which agent?</source>
        <translation>どのエージェント?</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>ファイルを選択</translation>
    </message>
</context>
<context>
    <name>Recurrence</name>
    <message>
        <source>at minute </source>
        <translation>毎時の分: </translation>
    </message>
    <message>
        <source>Minute of the hour</source>
        <translation>毎時の何分</translation>
    </message>
    <message>
        <source>How many</source>
        <translation>間隔</translation>
    </message>
    <message>
        <source>on day </source>
        <translation>日: </translation>
    </message>
    <message>
        <source>Day of the month</source>
        <translation>月の何日</translation>
    </message>
    <message>
        <source>ddd d MMM yyyy</source>
        <translation>yyyy年M月d日(ddd)</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>日付</translation>
    </message>
    <message>
        <source>Time of day</source>
        <translation>時刻</translation>
    </message>
    <message>
        <source>Cron expression</source>
        <translation>cron 式</translation>
    </message>
    <message>
        <source>minute hour day-of-month month day-of-week</source>
        <translation>分 時 日 月 曜日</translation>
    </message>
    <message>
        <source>from</source>
        <translation>開始</translation>
    </message>
    <message>
        <source>CRON EXPRESSION</source>
        <translation>cron 式</translation>
    </message>
    <message>
        <source>Once</source>
        <translation>一度</translation>
    </message>
    <message>
        <source>Hourly</source>
        <translation>毎時</translation>
    </message>
    <message>
        <source>Daily</source>
        <translation>毎日</translation>
    </message>
    <message>
        <source>Weekdays</source>
        <translation>平日</translation>
    </message>
    <message>
        <source>Weekly</source>
        <translation>毎週</translation>
    </message>
    <message>
        <source>Monthly</source>
        <translation>毎月</translation>
    </message>
    <message>
        <source>Every</source>
        <translation>間隔</translation>
    </message>
    <message>
        <source>Custom</source>
        <translation>cron</translation>
    </message>
</context>
<context>
    <name>Rename</name>
    <message>
        <source>Name</source>
        <translation>名前</translation>
    </message>
</context>
<context>
    <name>Runtime</name>
    <message>
        <source>no target is connected</source>
        <translation>ターゲットが接続されていません</translation>
    </message>
    <message>
        <source>its session is closed</source>
        <translation>ターゲットのセッションが閉じています</translation>
    </message>
    <message>
        <source>the Workspace&apos;s directory is not there</source>
        <translation>ワークスペースのフォルダーがありません</translation>
    </message>
    <message>
        <source>runtime stopped</source>
        <translation>ランタイムが停止しました</translation>
    </message>
    <message>
        <source>withdrawn</source>
        <translation>取り下げられました</translation>
    </message>
    <message>
        <source>its one time is used up</source>
        <translation>一度だけの時刻は使い終わりました</translation>
    </message>
    <message>
        <source>its target {name} was disconnected</source>
        <translation>ターゲット {name} の接続が解除されました</translation>
    </message>
    <message>
        <source>its target {name} was deleted</source>
        <translation>ターゲット {name} が削除されました</translation>
    </message>
    <message>
        <source>waited longer than {limit} s</source>
        <translation>待機が {limit} 秒を超えました</translation>
    </message>
    <message>
        <source>attempt {number} holds the target&apos;s slot</source>
        <translation>ターゲットの枠は実行 {number} が使っています</translation>
    </message>
    <message>
        <source>attempt {number}, a newer one of this Schedule, took the slot</source>
        <translation>このスケジュールの新しい実行 {number} が枠を使いました</translation>
    </message>
    <message>
        <source>caught up: it was missed, and this Schedule asks for the latest</source>
        <translation>追いかけ実行: 逃した時刻のうち最新のものを実行する設定です</translation>
    </message>
    <message>
        <source>the runtime could not claim it in time: {time} late</source>
        <translation>ランタイムが時刻に間に合いませんでした({time} の遅れ)</translation>
    </message>
    <message>
        <source>the runtime stopped during the delivery, and nobody observed its end</source>
        <translation>送信中にランタイムが停止し、終わりは観測されませんでした</translation>
    </message>
    <message>
        <source>the process that held the session died during the delivery</source>
        <translation>送信中に、セッションを保持するプロセスが終了しました</translation>
    </message>
    <message>
        <source>the process that held the sessions is gone</source>
        <translation>セッションを保持するプロセスがなくなりました</translation>
    </message>
    <message>
        <source>{why}; still running: {programs}</source>
        <translation>{why}。まだ実行中: {programs}</translation>
    </message>
    <message>
        <source>the shell could not parse the command, or found none in it; nothing ran</source>
        <translation>シェルがコマンドを解釈できないか、コマンドがありません。何も実行されていません</translation>
    </message>
    <message>
        <source>the command is incomplete: the shell asked for more, and the line was cleared; a part of it ran</source>
        <translation>コマンドが途中で終わっています。シェルが続きを求めたため行を消しました。一部は実行されました</translation>
    </message>
    <message>
        <source>the command is incomplete: the shell asked for more, and the line was cleared; nothing ran</source>
        <translation>コマンドが途中で終わっています。シェルが続きを求めたため行を消しました。何も実行されていません</translation>
    </message>
    <message>
        <source>the command is incomplete: the shell asked for more, and the line could not be cleared; a part of it ran</source>
        <translation>コマンドが途中で終わっています。シェルが続きを求めましたが、行を消せませんでした。一部は実行されました</translation>
    </message>
    <message>
        <source>the command is incomplete: the shell asked for more, and the line could not be cleared; nothing ran</source>
        <translation>コマンドが途中で終わっています。シェルが続きを求めましたが、行を消せませんでした。何も実行されていません</translation>
    </message>
    <message>
        <source>the command was stopped (Ctrl-Z) and has not finished</source>
        <translation>コマンドは一時停止(Ctrl-Z)され、終わっていません</translation>
    </message>
    <message>
        <source>Ctrl-C ended one line of the command; the shell went on with the next</source>
        <translation>Ctrl-C でコマンドの 1 行が終わり、シェルは次の行に進みました</translation>
    </message>
    <message>
        <source>the session was closed while the command ran</source>
        <translation>コマンドの実行中にセッションが閉じられました</translation>
    </message>
    <message>
        <source>the shell ended after it took the command; whether it started is not known</source>
        <translation>シェルはコマンドを受け取った後に終了しました。実行されたかどうかは分かりません</translation>
    </message>
    <message>
        <source>the shell was killed by signal {signal} while the command ran</source>
        <translation>コマンドの実行中に、シェルがシグナル {signal} で終了しました</translation>
    </message>
    <message>
        <source>the shell ended while the command ran; whether it was replaced is not known</source>
        <translation>コマンドの実行中にシェルが終了しました。置き換えられたかどうかは分かりません</translation>
    </message>
    <message>
        <source>the shell was replaced by {program} (exec), which ended with {code}</source>
        <translation>シェルは {program} に置き換えられ(exec)、それはコード {code} で終了しました</translation>
    </message>
    <message>
        <source>the shell was replaced by {program} (exec); its end cannot be observed</source>
        <translation>シェルは {program} に置き換えられました(exec)。その終わりは観測できません</translation>
    </message>
    <message>
        <source>the command ended the shell</source>
        <translation>コマンドがシェルを終了しました</translation>
    </message>
    <message>
        <source>this shell reports no start of a command; at its next prompt $? was {code}</source>
        <translation>このシェルはコマンドの開始を知らせません。次のプロンプトで $? は {code} でした</translation>
    </message>
    <message>
        <source>the shell could not take the command; it did not run</source>
        <translation>シェルがコマンドを受け取れませんでした。実行されていません</translation>
    </message>
    <message>
        <source>the shell took the command; whether it started is not known</source>
        <translation>シェルはコマンドを受け取りました。実行されたかどうかは分かりません</translation>
    </message>
    <message>
        <source>the shell reads a line again, but has reported no end of the command</source>
        <translation>シェルは再び入力を待っていますが、コマンドの終わりを知らせていません</translation>
    </message>
    <message>
        <source>the shell waits for input and has reported no end: it asks for something, or its hooks are gone</source>
        <translation>シェルは入力を待っていて、終わりを知らせていません。何かを尋ねているか、フックがなくなっています</translation>
    </message>
    <message>
        <source>the prompt came back without an exit code: the shell&apos;s hooks are gone</source>
        <translation>終了コードなしでプロンプトに戻りました。シェルのフックがなくなっています</translation>
    </message>
    <message>
        <source>the session was closed</source>
        <translation>セッションが閉じられました</translation>
    </message>
    <message>
        <source>the shell was killed by signal {signal}</source>
        <translation>シェルはシグナル {signal} で終了しました</translation>
    </message>
    <message>
        <source>the shell ended with exit code {code}</source>
        <translation>シェルは終了コード {code} で終了しました</translation>
    </message>
    <message>
        <source>nothing can be delivered to this shell: {reason}</source>
        <translation>このシェルには何も送信できません: {reason}</translation>
    </message>
    <message>
        <source>this shell has no line editor that Kavor can speak to: a command is typed in at an empty prompt, and its end is recorded as Fired, since nothing tells whether all of it ran</source>
        <translation>このシェルには Kavor が使える行エディターがありません。コマンドは空のプロンプトに入力され、すべて実行されたかは分からないため、結果は「送信済み」になります</translation>
    </message>
    <message>
        <source>the model&apos;s answer was cut off: it reached its limit of tokens</source>
        <translation>モデルの回答がトークンの上限に達し、途中で切れました</translation>
    </message>
    <message>
        <source>the turn was cut off: it reached its limit of requests to the model</source>
        <translation>ターンがモデルへのリクエスト数の上限に達し、途中で切れました</translation>
    </message>
    <message>
        <source>the agent refused to go on</source>
        <translation>エージェントが続行を拒否しました</translation>
    </message>
    <message>
        <source>the agent stopped its turn</source>
        <translation>エージェントがターンを中止しました</translation>
    </message>
    <message>
        <source>the agent answered with an error: {error}</source>
        <translation>エージェントがエラーを返しました: {error}</translation>
    </message>
    <message>
        <source>the turn ended for a reason that is not known: {reason}</source>
        <translation>不明な理由でターンが終了しました: {reason}</translation>
    </message>
    <message>
        <source>the model failed</source>
        <translation>モデルでエラーが発生しました</translation>
    </message>
    <message>
        <source>the agent closed its output</source>
        <translation>エージェントが出力を閉じました</translation>
    </message>
    <message>
        <source>the agent closed its output: {words}</source>
        <translation>エージェントが出力を閉じました: {words}</translation>
    </message>
    <message>
        <source>the agent&apos;s process was killed by signal {signal}</source>
        <translation>エージェントのプロセスがシグナル {signal} で終了しました</translation>
    </message>
    <message>
        <source>the agent&apos;s process was killed by signal {signal}: {words}</source>
        <translation>エージェントのプロセスがシグナル {signal} で終了しました: {words}</translation>
    </message>
    <message>
        <source>the agent&apos;s process ended with exit code {code}</source>
        <translation>エージェントのプロセスが終了コード {code} で終了しました</translation>
    </message>
    <message>
        <source>the agent&apos;s process ended with exit code {code}: {words}</source>
        <translation>エージェントのプロセスが終了コード {code} で終了しました: {words}</translation>
    </message>
    <message>
        <source>its session was closed during the turn</source>
        <translation>ターンの途中でセッションが閉じられました</translation>
    </message>
    <message>
        <source>it was stopped by a person</source>
        <translation>人によって中止されました</translation>
    </message>
    <message>
        <source>it was stopped: it took longer than {limit}</source>
        <translation>{limit} を超えたため中止されました</translation>
    </message>
    <message>
        <source>it could not be started: {error}</source>
        <translation>開始できませんでした: {error}</translation>
    </message>
    <message>
        <source>its turn could not be stopped within {seconds} s, so the agent was ended</source>
        <translation>{seconds} 秒以内にターンを中止できなかったため、エージェントを終了しました</translation>
    </message>
    <message>
        <source>its end could not be observed: {error}</source>
        <translation>終了を確認できませんでした: {error}</translation>
    </message>
    <message>
        <source>its end was not observed: its session is idle again, and told of no outcome</source>
        <translation>終了を確認できませんでした。セッションは待機中に戻り、結果の通知はありませんでした</translation>
    </message>
    <message>
        <source>suspect: the turn ended with nothing said and no tool called, as it does with some agents when their model failed</source>
        <translation>要確認: 何も出力せず、ツールも呼び出さずにターンが終了しました。モデルのエラー時にこうなるエージェントがあります</translation>
    </message>
    <message>
        <source>its way in was hung up on</source>
        <translation>接続口が切断されました</translation>
    </message>
    <message>
        <source>the way in ended without an answer</source>
        <translation>接続口が応答のないまま終了しました</translation>
    </message>
    <message>
        <source>the way in answered with something else than an answer</source>
        <translation>接続口から、回答ではないものが返されました</translation>
    </message>
    <message>
        <source>its former conversation could not be taken up again ({error}); it begins a new one</source>
        <translation>前の会話を再開できませんでした({error})。新しい会話を始めます</translation>
    </message>
    <message>
        <source>this agent cannot take up a conversation again; it begins a new one</source>
        <translation>このエージェントは会話を再開できません。新しい会話を始めます</translation>
    </message>
    <message>
        <source>it has not asked for Kavor&apos;s tools; it may begin without them</source>
        <translation>Kavor のツールをまだ問い合わせていません。ツールなしで始めることがあります</translation>
    </message>
    <message>
        <source>it prints more than an agent has to tell, so it is read more slowly</source>
        <translation>エージェントの出力が多すぎるため、ゆっくり読み取ります</translation>
    </message>
    <message>
        <source>the transcript of this turn is not kept any more: the agent has had many turns since</source>
        <translation>このターンの記録はもう残っていません。その後に多くのターンがありました</translation>
    </message>
    <message>
        <source>{count} earlier entries are not kept: together they are too long</source>
        <translation>以前の {count} 件は、全体が長すぎるため残っていません</translation>
    </message>
    <message>
        <source>exit code {code}</source>
        <translation>終了コード {code}</translation>
    </message>
    <message>
        <source>exit code {code}: {why}</source>
        <translation>終了コード {code}: {why}</translation>
    </message>
    <message>
        <source>a Node cannot be connected to itself</source>
        <translation>ノードを自分自身に接続することはできません</translation>
    </message>
    <message>
        <source>a {kind1} cannot be connected to a {kind2}</source>
        <translation>{kind1}を{kind2}に接続することはできません</translation>
    </message>
    <message>
        <source>{name1} and {name2} are in different Workspaces</source>
        <translation>{name1} と {name2} は別々のワークスペースにあります</translation>
    </message>
    <message>
        <source>{name1} and {name2} are not connected</source>
        <translation>{name1} と {name2} は接続されていません</translation>
    </message>
    <message>
        <source>{name1} and {name2} are connected already</source>
        <translation>{name1} と {name2} はすでに接続されています</translation>
    </message>
    <message>
        <source>{name1} has a target already: {name2}</source>
        <translation>{name1} にはすでにターゲットがあります: {name2}</translation>
    </message>
    <message>
        <source>{name} has no target to run at</source>
        <translation>{name} には実行先のターゲットがありません</translation>
    </message>
    <message>
        <source>{name} was to run once at {time}, which has passed</source>
        <translation>{name} は {time} に一度だけ実行するはずでしたが、その時刻は過ぎました</translation>
    </message>
    <message>
        <source>{name} has no occurrence left</source>
        <translation>{name} の実行時刻はもうありません</translation>
    </message>
    <message>
        <source>{name} cannot run: {why}</source>
        <translation>{name} は実行できません: {why}</translation>
    </message>
    <message>
        <source>that time has passed, and this Schedule is Running</source>
        <translation>その時刻は過ぎていて、このスケジュールは稼働中です</translation>
    </message>
    <message>
        <source>attempt {number} already waits for {name}</source>
        <translation>実行 {number} がすでに {name} を待っています</translation>
    </message>
    <message>
        <source>attempt {number} is {state}, not Pending</source>
        <translation>実行 {number} は「{state}」で、待機中ではありません</translation>
    </message>
    <message>
        <source>attempt {number} is {state}</source>
        <translation>実行 {number} は「{state}」です</translation>
    </message>
    <message>
        <source>there is no attempt {number}</source>
        <translation>実行 {number} はありません</translation>
    </message>
    <message>
        <source>{name} was edited meanwhile: it is at revision {revision1}, not {revision2}</source>
        <translation>{name} はその間に編集されました: リビジョンは {revision2} ではなく {revision1} です</translation>
    </message>
    <message>
        <source>the name is empty</source>
        <translation>名前が空です</translation>
    </message>
    <message>
        <source>the name is longer than {count} characters</source>
        <translation>名前が {count} 文字を超えています</translation>
    </message>
    <message>
        <source>the name has a character that cannot be shown</source>
        <translation>名前に表示できない文字があります</translation>
    </message>
    <message>
        <source>there is no {kind} {name}</source>
        <translation>{kind} {name} はありません</translation>
    </message>
    <message>
        <source>there is a Workspace {name} already</source>
        <translation>ワークスペース {name} はすでにあります</translation>
    </message>
    <message>
        <source>there is no Workspace {name}</source>
        <translation>ワークスペース {name} はありません</translation>
    </message>
    <message>
        <source>there is no directory {path}</source>
        <translation>フォルダー {path} はありません</translation>
    </message>
    <message>
        <source>there is no home for {path}</source>
        <translation>{path} のホームはありません</translation>
    </message>
    <message>
        <source>{path} is not an absolute path</source>
        <translation>{path} は絶対パスではありません</translation>
    </message>
    <message>
        <source>there is no file {path}</source>
        <translation>ファイル {path} はありません</translation>
    </message>
    <message>
        <source>{path} is a directory</source>
        <translation>{path} はフォルダーです</translation>
    </message>
    <message>
        <source>a {kind1} has no directory and no shell</source>
        <translation>{kind1}にはフォルダーもシェルもありません</translation>
    </message>
    <message>
        <source>a Connection of a {kind1} and a {kind2} has no environment variable</source>
        <translation>{kind1}と{kind2}の接続に環境変数はありません</translation>
    </message>
    <message>
        <source>{name1} has ${variable} from {name2} already</source>
        <translation>{name1} の ${variable} はすでに {name2} から来ています</translation>
    </message>
    <message>
        <source>the environment variable {variable} is reserved for Kavor</source>
        <translation>環境変数 {variable} は Kavor が使います</translation>
    </message>
    <message>
        <source>{variable} is not a name for an environment variable</source>
        <translation>{variable} は環境変数の名前にできません</translation>
    </message>
    <message>
        <source>{name} is not a kind of Node</source>
        <translation>{name} はノードの種類ではありません</translation>
    </message>
    <message>
        <source>the session of {name} is not open</source>
        <translation>{name} のセッションは開いていません</translation>
    </message>
    <message>
        <source>a {kind1} has no session</source>
        <translation>{kind1}にセッションはありません</translation>
    </message>
    <message>
        <source>there is no shell {name}</source>
        <translation>シェル {name} はありません</translation>
    </message>
    <message>
        <source>Kavor cannot work with the shell {name} yet</source>
        <translation>Kavor はまだシェル {name} を使えません</translation>
    </message>
    <message>
        <source>{name} could not be started: {error}</source>
        <translation>{name} を起動できませんでした: {error}</translation>
    </message>
    <message>
        <source>{path} is not executable</source>
        <translation>{path} は実行可能ではありません</translation>
    </message>
    <message>
        <source>{name} is not installed: there is no {program}</source>
        <translation>{name} はインストールされていません: {program} がありません</translation>
    </message>
    <message>
        <source>the program in this terminal does not read its input</source>
        <translation>このターミナルのプログラムが入力を読みません</translation>
    </message>
    <message>
        <source>the PTY host does not answer</source>
        <translation>PTY ホストが応答しません</translation>
    </message>
    <message>
        <source>the PTY host did not start in time</source>
        <translation>PTY ホストが時間内に起動しませんでした</translation>
    </message>
    <message>
        <source>the PTY host failed: {error}</source>
        <translation>PTY ホストで問題が起きました: {error}</translation>
    </message>
    <message>
        <source>the screen cannot be shown</source>
        <translation>画面を表示できません</translation>
    </message>
    <message>
        <source>the command cannot be handed over: {error}</source>
        <translation>コマンドを渡せません: {error}</translation>
    </message>
    <message>
        <source>the runtime refused the terminal&apos;s stream</source>
        <translation>ランタイムがターミナルの表示を断りました</translation>
    </message>
    <message>
        <source>the terminal&apos;s stream was closed</source>
        <translation>ターミナルの表示が閉じられました</translation>
    </message>
    <message>
        <source>the payload is empty</source>
        <translation>送信する内容が空です</translation>
    </message>
    <message>
        <source>the payload is {size} bytes long; at most {most} can be delivered</source>
        <translation>送信する内容が {size} バイトあります。送信できるのは {most} バイトまでです</translation>
    </message>
    <message>
        <source>the payload has the control character {code} at offset {offset}</source>
        <translation>送信する内容の {offset} 文字目に制御文字 {code} があります</translation>
    </message>
    <message>
        <source>the payload has the bidirectional control {code} at offset {offset}</source>
        <translation>送信する内容の {offset} 文字目に双方向制御文字 {code} があります</translation>
    </message>
    <message>
        <source>the payload has the lone surrogate {code} at offset {offset}</source>
        <translation>送信する内容の {offset} 文字目に単独のサロゲート {code} があります</translation>
    </message>
    <message>
        <source>a misfire grace of {seconds} s is out of range</source>
        <translation>遅れの許容 {seconds} 秒は範囲外です</translation>
    </message>
    <message>
        <source>a pending limit of {seconds} s is out of range</source>
        <translation>待機の上限 {seconds} 秒は範囲外です</translation>
    </message>
    <message>
        <source>{name} is not a known time zone</source>
        <translation>タイムゾーン {name} は知られていません</translation>
    </message>
    <message>
        <source>no runtime is running</source>
        <translation>ランタイムが動いていません</translation>
    </message>
    <message>
        <source>the runtime did not answer within {seconds} s</source>
        <translation>ランタイムが {seconds} 秒以内に応答しませんでした</translation>
    </message>
    <message>
        <source>the runtime went away while it was asked</source>
        <translation>問い合わせ中にランタイムがなくなりました</translation>
    </message>
    <message>
        <source>the runtime is stopping</source>
        <translation>ランタイムを停止しています</translation>
    </message>
    <message>
        <source>the runtime does not answer</source>
        <translation>ランタイムが応答しません</translation>
    </message>
    <message>
        <source>the disk is full: {path} cannot be written</source>
        <translation>ディスクがいっぱいです: {path} に書き込めません</translation>
    </message>
    <message>
        <source>{path} cannot be used: {error}</source>
        <translation>{path} を使えません: {error}</translation>
    </message>
    <message>
        <source>something went wrong that has no name yet</source>
        <translation>名前のない問題が起きました</translation>
    </message>
    <message>
        <source>there is no Node {name} that you can reach</source>
        <translation>届く範囲にノード {name} はありません</translation>
    </message>
    <message>
        <source>several Nodes are called {name}</source>
        <translation>{name} という名前のノードが複数あります</translation>
    </message>
    <message>
        <source>{name} is a {kind1}, not a {kind2}</source>
        <translation>{name} は{kind1}で、{kind2}ではありません</translation>
    </message>
    <message>
        <source>&quot;Allow workspace editing&quot; is off for you, so nothing was changed</source>
        <translation>「ワークスペースの編集を許可する」がオフのため、何も変更されませんでした</translation>
    </message>
    <message>
        <source>{path} is outside the Workspace, or of a Node that you cannot reach</source>
        <translation>{path} はワークスペースの外にあるか、届かないノードのものです</translation>
    </message>
    <message>
        <source>a message to yourself is not sent</source>
        <translation>自分自身へのメッセージは送信されません</translation>
    </message>
    <message>
        <source>nothing runs in {name} that could be interrupted</source>
        <translation>{name} では、中断できるものは何も実行されていません</translation>
    </message>
    <message>
        <source>the run {run} does not run in {name} now</source>
        <translation>{run} は今 {name} で実行されていません</translation>
    </message>
    <message>
        <source>what ran in {name} has just ended</source>
        <translation>{name} で実行されていたものは、ちょうど終了しました</translation>
    </message>
    <message>
        <source>the limit of hops forbids it: {count} messages have gone from agent to agent since a person or a Schedule began this</source>
        <translation>中継の上限により許可されません。人またはスケジュールが始めてから、エージェント間で {count} 件のメッセージが続いています</translation>
    </message>
    <message>
        <source>the idempotency key {key} was that of message {number}, which says something else</source>
        <translation>冪等キー {key} は、内容の異なるメッセージ {number} で使われています</translation>
    </message>
    <message>
        <source>{path} cannot be read: it is a link now, or one of its folders is</source>
        <translation>{path} を読めません: これか途中のフォルダーがリンクに変わっています</translation>
    </message>
    <message>
        <source>{path} cannot be read just now: it does not answer</source>
        <translation>{path} は今は読めません: 応答がありません</translation>
    </message>
    <message>
        <source>whether {path} was written is not known: it does not answer</source>
        <translation>{path} が書き込まれたかどうかは分かりません: 応答がありません</translation>
    </message>
    <message>
        <source>the cron expression is empty</source>
        <translation>cron 式が空です</translation>
    </message>
    <message>
        <source>{text} has {count} field, not five</source>
        <translation>{text} のフィールドは 5 つではなく {count} つです</translation>
    </message>
    <message>
        <source>{text} has {count} fields, not five</source>
        <translation>{text} のフィールドは 5 つではなく {count} つです</translation>
    </message>
    <message>
        <source>{text} is not a known alias</source>
        <translation>{text} という別名はありません</translation>
    </message>
    <message>
        <source>@reboot is not a time</source>
        <translation>@reboot は時刻ではありません</translation>
    </message>
    <message>
        <source>{text} never occurs: no month it names has a day {day}</source>
        <translation>{text} の時刻は来ません: 指定した月に {day} 日はありません</translation>
    </message>
    <message>
        <source>{field} has an empty place in its list</source>
        <translation>{field} のリストに空きがあります</translation>
    </message>
    <message>
        <source>{field} is not understood at {text}</source>
        <translation>{field} の {text} が解釈できません</translation>
    </message>
    <message>
        <source>{field} names {number}, outside {low}-{high}</source>
        <translation>{field} の {number} は {low}〜{high} の範囲外です</translation>
    </message>
    <message>
        <source>{field} has {text} as its step</source>
        <translation>{field} の間隔が {text} です</translation>
    </message>
    <message>
        <source>{field} runs backwards</source>
        <translation>{field} の範囲が逆です</translation>
    </message>
    <message>
        <source>{field} uses {mark}, which crontab does not have</source>
        <translation>{field} の {mark} は crontab にありません</translation>
    </message>
    <message>
        <source>{text} is not an instant</source>
        <translation>{text} は時点ではありません</translation>
    </message>
    <message>
        <source>{text} is not a local time</source>
        <translation>{text} は現地時刻ではありません</translation>
    </message>
    <message>
        <source>{text} names an offset, and a local time has none</source>
        <translation>{text} には時差がありますが、現地時刻に時差は付けられません</translation>
    </message>
    <message>
        <source>{text} has seconds</source>
        <translation>{text} に秒があります</translation>
    </message>
    <message>
        <source>the year {year} is out of reach</source>
        <translation>{year} 年は範囲外です</translation>
    </message>
    <message>
        <source>{text} is not an interval</source>
        <translation>{text} は間隔ではありません</translation>
    </message>
    <message>
        <source>{text} is shorter than a minute</source>
        <translation>{text} は 1 分より短いです</translation>
    </message>
    <message>
        <source>{text} is longer than a century</source>
        <translation>{text} は 100 年より長いです</translation>
    </message>
    <message>
        <source>the recurrence does not say when</source>
        <translation>いつ繰り返すかの指定がありません</translation>
    </message>
    <message>
        <source>the recurrence lacks {key}</source>
        <translation>繰り返しに {key} がありません</translation>
    </message>
    <message>
        <source>a recurrence of {text} has no {key}</source>
        <translation>{text} の繰り返しに {key} はありません</translation>
    </message>
    <message>
        <source>{text} says its {key} twice</source>
        <translation>{text} に {key} が二度あります</translation>
    </message>
    <message>
        <source>{text} is not a {key} of recurrence</source>
        <translation>{text} は繰り返しの {key} ではありません</translation>
    </message>
    <message>
        <source>{key} must be text, not {text}</source>
        <translation>{key} は {text} ではなく文字列です</translation>
    </message>
    <message>
        <source>{text} is not a preset</source>
        <translation>{text} というプリセットはありません</translation>
    </message>
    <message>
        <source>weekday {text} is not a day of the week</source>
        <translation>weekday {text} は曜日ではありません</translation>
    </message>
    <message>
        <source>time {text} is not a time of day</source>
        <translation>time {text} は時刻ではありません</translation>
    </message>
    <message>
        <source>{key} {text} is not one of {low}-{high}</source>
        <translation>{key} {text} は {low}〜{high} ではありません</translation>
    </message>
    <message>
        <source>name two different Nodes</source>
        <translation>別々の 2 つのノードを選んでください</translation>
    </message>
    <message>
        <source>connect it to one CodingAgent or one Terminal; that target reaches the rest</source>
        <translation>CodingAgent かターミナルを 1 つ接続してください。ほかのノードへはそのターゲットが届きます</translation>
    </message>
    <message>
        <source>connect both to a CodingAgent, or a Terminal to a File or a Specification</source>
        <translation>両方を CodingAgent に接続するか、ターミナルをファイルか仕様書に接続してください</translation>
    </message>
    <message>
        <source>connect Nodes of one Workspace</source>
        <translation>同じワークスペースのノードを接続してください</translation>
    </message>
    <message>
        <source>a Schedule has one direct target; disconnect that one first</source>
        <translation>スケジュールの直接のターゲットは 1 つです。先にその接続を解除してください</translation>
    </message>
    <message>
        <source>edit the Schedule and choose a time in the future</source>
        <translation>スケジュールを編集し、これからの時刻を選んでください</translation>
    </message>
    <message>
        <source>choose a time in the future, or pause the Schedule first</source>
        <translation>これからの時刻を選ぶか、先にスケジュールを一時停止してください</translation>
    </message>
    <message>
        <source>only an attempt that waits in a slot can be withdrawn</source>
        <translation>取り下げられるのは枠で待っているものだけです</translation>
    </message>
    <message>
        <source>only a Missed attempt is dismissed</source>
        <translation>確認済みにできるのは未実行のものだけです</translation>
    </message>
    <message>
        <source>look at the present text and save again</source>
        <translation>現在の内容を見てから、もう一度保存してください</translation>
    </message>
    <message>
        <source>give a name of at least one character</source>
        <translation>1 文字以上の名前を付けてください</translation>
    </message>
    <message>
        <source>shorten it</source>
        <translation>短くしてください</translation>
    </message>
    <message>
        <source>use letters, digits and signs</source>
        <translation>文字、数字、記号を使ってください</translation>
    </message>
    <message>
        <source>use letters, digits and _</source>
        <translation>英字、数字、_ を使ってください</translation>
    </message>
    <message>
        <source>choose another name</source>
        <translation>別の名前を選んでください</translation>
    </message>
    <message>
        <source>only a Terminal&apos;s Connection to a File or a Specification has one</source>
        <translation>環境変数があるのは、ターミナルとファイルまたは仕様書との接続だけです</translation>
    </message>
    <message>
        <source>only a Terminal has</source>
        <translation>あるのはターミナルだけです</translation>
    </message>
    <message>
        <source>name a Terminal</source>
        <translation>ターミナルを選んでください</translation>
    </message>
    <message>
        <source>name a file</source>
        <translation>ファイルを選んでください</translation>
    </message>
    <message>
        <source>give the whole path</source>
        <translation>完全なパスを指定してください</translation>
    </message>
    <message>
        <source>give the whole path of the directory</source>
        <translation>フォルダーの完全なパスを指定してください</translation>
    </message>
    <message>
        <source>make it, or change the Terminal&apos;s directory</source>
        <translation>作成するか、ターミナルのフォルダーを変えてください</translation>
    </message>
    <message>
        <source>name one that is installed, such as /bin/bash</source>
        <translation>/bin/bash など、インストール済みのものを指定してください</translation>
    </message>
    <message>
        <source>give this Terminal one of: {names}</source>
        <translation>このターミナルには次のどれかを指定してください: {names}</translation>
    </message>
    <message>
        <source>check the shell and the directory</source>
        <translation>シェルとフォルダーを確認してください</translation>
    </message>
    <message>
        <source>make it so: chmod +x {path}</source>
        <translation>実行可能にしてください: chmod +x {path}</translation>
    </message>
    <message>
        <source>wait, or end that program</source>
        <translation>待つか、そのプログラムを終了してください</translation>
    </message>
    <message>
        <source>open it first</source>
        <translation>先に開いてください</translation>
    </message>
    <message>
        <source>open it again</source>
        <translation>もう一度開いてください</translation>
    </message>
    <message>
        <source>look at it again</source>
        <translation>もう一度開いて見てください</translation>
    </message>
    <message>
        <source>try again when its file system answers</source>
        <translation>ファイルシステムが応答してから、もう一度お試しください</translation>
    </message>
    <message>
        <source>see {path}</source>
        <translation>{path} を見てください</translation>
    </message>
    <message>
        <source>its log says more</source>
        <translation>詳しくはログにあります</translation>
    </message>
    <message>
        <source>write the command or prompt to deliver</source>
        <translation>送信するコマンドかプロンプトを書いてください</translation>
    </message>
    <message>
        <source>put the text in a file and let the payload name it</source>
        <translation>内容をファイルに入れ、そのファイルを指定してください</translation>
    </message>
    <message>
        <source>remove that character; Kavor delivers exactly what is written, or nothing</source>
        <translation>その文字を取り除いてください。Kavor は書かれたとおりに送信するか、何も送信しません</translation>
    </message>
    <message>
        <source>give 0 s to 24 h; 60 s is the default</source>
        <translation>0 秒から 24 時間で指定してください。既定は 60 秒です</translation>
    </message>
    <message>
        <source>give 1 s to 366 days, or none</source>
        <translation>1 秒から 366 日で指定するか、なしにしてください</translation>
    </message>
    <message>
        <source>did you mean {names}?</source>
        <translation>{names} のことですか?</translation>
    </message>
    <message>
        <source>use an IANA name such as Europe/Berlin, America/New_York or UTC</source>
        <translation>Europe/Berlin、America/New_York、UTC などの IANA 名を使ってください</translation>
    </message>
    <message>
        <source>look whether it was done before you ask again</source>
        <translation>もう一度試す前に、済んでいるか確認してください</translation>
    </message>
    <message>
        <source>open it once the runtime runs again</source>
        <translation>ランタイムが再び動いてから開いてください</translation>
    </message>
    <message>
        <source>look into {path}; what was asked may still be done</source>
        <translation>{path} を見てください。頼んだことはこれから行われるかもしれません</translation>
    </message>
    <message>
        <source>free some space, then try again</source>
        <translation>空きを作ってから、もう一度試してください</translation>
    </message>
    <message>
        <source>write five fields: minute hour day-of-month month day-of-week</source>
        <translation>5 つのフィールドを書いてください: 分 時 日 月 曜日</translation>
    </message>
    <message>
        <source>write minute hour day-of-month month day-of-week, such as 0 9 * * 1-5</source>
        <translation>分 時 日 月 曜日 を書いてください(例: 0 9 * * 1-5)</translation>
    </message>
    <message>
        <source>write minute hour day-of-month month day-of-week, such as 0 9 * * 1-5; Kavor plans to the minute, so there is no field for seconds or years</source>
        <translation>分 時 日 月 曜日 を書いてください(例: 0 9 * * 1-5)。Kavor は分単位で計画するため、秒や年のフィールドはありません</translation>
    </message>
    <message>
        <source>say when: five fields such as 0 9 * * *, or @daily</source>
        <translation>いつかを書いてください: 0 9 * * * のような 5 つのフィールド、または @daily</translation>
    </message>
    <message>
        <source>name a day that the month has</source>
        <translation>その月にある日を指定してください</translation>
    </message>
    <message>
        <source>write values between the commas</source>
        <translation>カンマの間に値を書いてください</translation>
    </message>
    <message>
        <source>hours run from 0 to 23; midnight is 0, and the whole day is 0-23 or *</source>
        <translation>時は 0 から 23 です。真夜中は 0、一日中は 0-23 か * です</translation>
    </message>
    <message>
        <source>minutes run from 0 to 59; the full hour is 0</source>
        <translation>分は 0 から 59 です。ちょうどの時刻は 0 です</translation>
    </message>
    <message>
        <source>a step is a whole number from 1, as */15</source>
        <translation>間隔は */15 のように 1 以上の整数です</translation>
    </message>
    <message>
        <source>write * for any day</source>
        <translation>毎日なら * と書いてください</translation>
    </message>
    <message>
        <source>write the number itself</source>
        <translation>数字をそのまま書いてください</translation>
    </message>
    <message>
        <source>crontab has no word for the last day; name a day that every month has, such as 28</source>
        <translation>crontab に月末日を表す書き方はありません。28 など、どの月にもある日を指定してください</translation>
    </message>
    <message>
        <source>crontab has no word for the nearest weekday; name the days, or use day-of-week 1-5</source>
        <translation>crontab に最も近い平日を表す書き方はありません。日を指定するか、曜日 1-5 を使ってください</translation>
    </message>
    <message>
        <source>crontab has no word for the nth weekday; */N day fields, or every 2w from a date, may serve</source>
        <translation>crontab に第 n 曜日を表す書き方はありません。日の */N か、ある日からの 2 週間ごとが使えるかもしれません</translation>
    </message>
    <message>
        <source>{field} takes {low}-{high}, or {first} to {last}; lists 1,2, ranges 1-5 and steps */2</source>
        <translation>{field} は {low}-{high}、または {first} から {last} です。リスト 1,2、範囲 1-5、間隔 */2 も書けます</translation>
    </message>
    <message>
        <source>{field} takes {low}-{high}; lists 1,2, ranges 1-5 and steps */2</source>
        <translation>{field} は {low}-{high} です。リスト 1,2、範囲 1-5、間隔 */2 も書けます</translation>
    </message>
    <message>
        <source>write a count and a unit: 2w, 3d, 36h or 90m</source>
        <translation>数と単位を書いてください: 2w、3d、36h、90m</translation>
    </message>
    <message>
        <source>the shortest interval is 1m</source>
        <translation>最短の間隔は 1m です</translation>
    </message>
    <message>
        <source>the longest interval is 36500d</source>
        <translation>最長の間隔は 36500d です</translation>
    </message>
    <message>
        <source>write it like 2026-11-05T08:00:00Z</source>
        <translation>2026-11-05T08:00:00Z のように書いてください</translation>
    </message>
    <message>
        <source>write it like 2026-08-01T02:17</source>
        <translation>2026-08-01T02:17 のように書いてください</translation>
    </message>
    <message>
        <source>write it like 2026-08-01T02:17; the zone of the Schedule says the rest</source>
        <translation>2026-08-01T02:17 のように書いてください。残りはスケジュールのタイムゾーンが決めます</translation>
    </message>
    <message>
        <source>a time is given to the minute: 2026-08-01T02:17</source>
        <translation>時刻は分まで書いてください: 2026-08-01T02:17</translation>
    </message>
    <message>
        <source>use {low} to {high}</source>
        <translation>{low} から {high} を使ってください</translation>
    </message>
    <message>
        <source>use one of: {names}</source>
        <translation>次のどれかを使ってください: {names}</translation>
    </message>
    <message>
        <source>it may say: {names}</source>
        <translation>指定できるもの: {names}</translation>
    </message>
    <message>
        <source>use {names}</source>
        <translation>{names} を使ってください</translation>
    </message>
    <message>
        <source>write a whole number from {low} to {high}</source>
        <translation>{low} から {high} の整数を書いてください</translation>
    </message>
    <message>
        <source>write it like 09:00, from 00:00 to 23:59</source>
        <translation>09:00 のように、00:00 から 23:59 で書いてください</translation>
    </message>
    <message>
        <source>write it like mon or mon,thu</source>
        <translation>mon や mon,thu のように書いてください</translation>
    </message>
    <message>
        <source>write it like: daily 09:00, hourly 20, weekly mon,thu 09:00, monthly 31 09:00</source>
        <translation>次のように書いてください: daily 09:00、hourly 20、weekly mon,thu 09:00、monthly 31 09:00</translation>
    </message>
    <message>
        <source>write {numbers}</source>
        <translation>{numbers} と書いてください</translation>
    </message>
    <message>
        <source>wait for it, or withdraw it: its history has a button for that</source>
        <translation>待つか、履歴のボタンで取り下げてください</translation>
    </message>
    <message>
        <source>draw a wire from one of its handles to a Terminal or a CodingAgent</source>
        <translation>カードの端からターミナルか CodingAgent へ線を引いてください</translation>
    </message>
    <message>
        <source>press Open on its card</source>
        <translation>カードの「開く」を押してください</translation>
    </message>
    <message>
        <source>the history lists those that there are</source>
        <translation>今あるものは履歴に並んでいます</translation>
    </message>
    <message>
        <source>it may have been deleted meanwhile</source>
        <translation>その間に削除されたのかもしれません</translation>
    </message>
    <message>
        <source>it may have been removed meanwhile</source>
        <translation>その間に取り除かれたのかもしれません</translation>
    </message>
    <message>
        <source>open a folder first</source>
        <translation>先にフォルダーを開いてください</translation>
    </message>
    <message>
        <source>start it with the button above</source>
        <translation>上のボタンで開始してください</translation>
    </message>
    <message>
        <source>look into {path}, or end that program</source>
        <translation>{path} を見るか、そのプログラムを終了してください</translation>
    </message>
    <message>
        <source>open another folder, or rename that one</source>
        <translation>別のフォルダーを開くか、既存のほうの名前を変えてください</translation>
    </message>
    <message>
        <source>choose another name for the variable</source>
        <translation>変数に別の名前を選んでください</translation>
    </message>
    <message>
        <source>choose a file</source>
        <translation>ファイルを選んでください</translation>
    </message>
    <message>
        <source>choose another file</source>
        <translation>別のファイルを選んでください</translation>
    </message>
    <message>
        <source>make it first, or choose another file</source>
        <translation>先に作成するか、別のファイルを選んでください</translation>
    </message>
    <message>
        <source>make it first, or choose another folder</source>
        <translation>先に作成するか、別のフォルダーを選んでください</translation>
    </message>
    <message>
        <source>delete them first</source>
        <translation>先に削除してください</translation>
    </message>
    <message>
        <source>{name} asks nothing now</source>
        <translation>{name} は今は何も尋ねていません</translation>
    </message>
    <message>
        <source>{name} works on nothing now</source>
        <translation>{name} は今は何もしていません</translation>
    </message>
    <message>
        <source>{name} is a {kind1}</source>
        <translation>{name} は{kind1}です</translation>
    </message>
    <message>
        <source>{name} is not a provider of agents</source>
        <translation>{name} というエージェントの提供元はありません</translation>
    </message>
    <message>
        <source>the provider {name} needs a command</source>
        <translation>提供元 {name} にはコマンドが必要です</translation>
    </message>
    <message>
        <source>the provider {name} has a command of its own</source>
        <translation>提供元 {name} には自身のコマンドがあります</translation>
    </message>
    <message>
        <source>a CodingAgent needs a provider</source>
        <translation>コーディングエージェントには提供元が必要です</translation>
    </message>
    <message>
        <source>the command has more than {count} words</source>
        <translation>コマンドが {count} 語を超えています</translation>
    </message>
    <message>
        <source>{name} is empty</source>
        <translation>{name} が空です</translation>
    </message>
    <message>
        <source>{name} is longer than {count} characters</source>
        <translation>{name} が {count} 文字を超えています</translation>
    </message>
    <message>
        <source>{name} has a character that cannot be shown</source>
        <translation>{name} に表示できない文字があります</translation>
    </message>
    <message>
        <source>a turn limit of {seconds} s is out of range</source>
        <translation>ターンの上限 {seconds} 秒は範囲外です</translation>
    </message>
    <message>
        <source>{name} is not a Guardrail</source>
        <translation>{name} というガードレールはありません</translation>
    </message>
    <message>
        <source>a Connection of a {kind1} and a {kind2} cannot have the Guardrail {name}</source>
        <translation>{kind1}と{kind2}の接続にガードレール {name} は付けられません</translation>
    </message>
    <message>
        <source>the Guardrail {name1} forbids it: {name2} may be read, and not changed</source>
        <translation>ガードレール {name1} により、{name2} は読めますが変更できません</translation>
    </message>
    <message>
        <source>{count} messages already wait for {name}</source>
        <translation>すでに {count} 件のメッセージが {name} を待っています</translation>
    </message>
    <message>
        <source>message {number} is {state}</source>
        <translation>メッセージ {number} は「{state}」です</translation>
    </message>
    <message>
        <source>there is no message {number}</source>
        <translation>メッセージ {number} はありません</translation>
    </message>
    <message>
        <source>there is no turn {number}</source>
        <translation>ターン {number} はありません</translation>
    </message>
    <message>
        <source>{name} is not a state of a Specification</source>
        <translation>{name} という仕様書の状態はありません</translation>
    </message>
    <message>
        <source>{name} is not a colour of a Sticky Note</source>
        <translation>{name} という付箋の色はありません</translation>
    </message>
    <message>
        <source>the text is {count} characters long; a Sticky Note holds {most}</source>
        <translation>テキストが {count} 文字あります。付箋に書けるのは {most} 文字までです</translation>
    </message>
    <message>
        <source>the text has {fault} at offset {offset}</source>
        <translation>テキストの {offset} 文字目に {fault} があります</translation>
    </message>
    <message>
        <source>the text is {size} bytes long; at most {most} are written</source>
        <translation>テキストが {size} バイトあります。書き込めるのは {most} バイトまでです</translation>
    </message>
    <message>
        <source>{name} was edited meanwhile</source>
        <translation>{name} はその間に編集されました</translation>
    </message>
    <message>
        <source>{path} was changed meanwhile</source>
        <translation>{path} はその間に変更されました</translation>
    </message>
    <message>
        <source>{path} is longer than {most} bytes</source>
        <translation>{path} が {most} バイトを超えています</translation>
    </message>
    <message>
        <source>{path} is no text in UTF-8</source>
        <translation>{path} は UTF-8 のテキストではありません</translation>
    </message>
    <message>
        <source>{path} cannot be read: {error}</source>
        <translation>{path} を読めません: {error}</translation>
    </message>
    <message>
        <source>{path} cannot be written: {error}</source>
        <translation>{path} に書き込めません: {error}</translation>
    </message>
    <message>
        <source>{path} cannot be followed: {error}</source>
        <translation>{path} をたどれません: {error}</translation>
    </message>
    <message>
        <source>{path} is not a file any more</source>
        <translation>{path} はもうファイルではありません</translation>
    </message>
    <message>
        <source>there is a file {path} already</source>
        <translation>ファイル {path} はすでにあります</translation>
    </message>
    <message>
        <source>a {kind1} has no text</source>
        <translation>{kind1}にテキストはありません</translation>
    </message>
    <message>
        <source>a {kind1} has no path</source>
        <translation>{kind1}にパスはありません</translation>
    </message>
    <message>
        <source>a {kind1} has no {key}</source>
        <translation>{kind1}に {key} はありません</translation>
    </message>
    <message>
        <source>a File needs a path</source>
        <translation>ファイルにはパスが必要です</translation>
    </message>
    <message>
        <source>a path cannot have a NUL character</source>
        <translation>パスに NUL 文字は使えません</translation>
    </message>
    <message>
        <source>the Workspace {name} still has {count} Nodes</source>
        <translation>ワークスペース {name} にはまだ {count} 個のノードがあります</translation>
    </message>
    <message>
        <source>a Node was added to the Workspace {name} meanwhile</source>
        <translation>その間にワークスペース {name} にノードが追加されました</translation>
    </message>
    <message>
        <source>there is nothing to stop</source>
        <translation>止めるものはありません</translation>
    </message>
    <message>
        <source>put it into a script</source>
        <translation>スクリプトにまとめてください</translation>
    </message>
    <message>
        <source>give 1 minute to 24 hours; 2 hours is the default</source>
        <translation>1 分から 24 時間で指定してください。既定は 2 時間です</translation>
    </message>
    <message>
        <source>only a person can take a Guardrail away</source>
        <translation>ガードレールを外せるのは人だけです</translation>
    </message>
    <message>
        <source>only a CodingAgent is talked to</source>
        <translation>話しかけられるのはコーディングエージェントだけです</translation>
    </message>
    <message>
        <source>only a message that waits can be withdrawn</source>
        <translation>取り下げられるのは待っているメッセージだけです</translation>
    </message>
    <message>
        <source>leave the command out</source>
        <translation>コマンドは書かないでください</translation>
    </message>
    <message>
        <source>shorten it, or put it into a File</source>
        <translation>短くするか、ファイルに入れてください</translation>
    </message>
    <message>
        <source>remove that character</source>
        <translation>その文字を取り除いてください</translation>
    </message>
    <message>
        <source>remove it</source>
        <translation>取り除いてください</translation>
    </message>
    <message>
        <source>leave that out</source>
        <translation>それは書かないでください</translation>
    </message>
    <message>
        <source>it was moved or removed</source>
        <translation>移動されたか、削除されました</translation>
    </message>
    <message>
        <source>read it again, then write what you want to keep</source>
        <translation>もう一度読み、残したい内容を書いてください</translation>
    </message>
    <message>
        <source>look at parts of it in a Terminal</source>
        <translation>ターミナルで一部を見てください</translation>
    </message>
    <message>
        <source>look at it in a Terminal</source>
        <translation>ターミナルで見てください</translation>
    </message>
    <message>
        <source>look at its permissions</source>
        <translation>権限を確認してください</translation>
    </message>
    <message>
        <source>look at it, then try again</source>
        <translation>確認してから、もう一度試してください</translation>
    </message>
    <message>
        <source>name a Terminal or a CodingAgent</source>
        <translation>ターミナルかコーディングエージェントを選んでください</translation>
    </message>
    <message>
        <source>name a Sticky Note, a File or a Specification</source>
        <translation>付箋、ファイル、仕様書のどれかを選んでください</translation>
    </message>
    <message>
        <source>only a File or a Specification has</source>
        <translation>あるのはファイルと仕様書だけです</translation>
    </message>
    <message>
        <source>its card shows what it asks, when it does</source>
        <translation>尋ねることがあれば、カードに表示されます</translation>
    </message>
    <message>
        <source>its card lists those that wait</source>
        <translation>待っているものはカードに並んでいます</translation>
    </message>
    <message>
        <source>its card lists those that there are</source>
        <translation>今あるものはカードに並んでいます</translation>
    </message>
    <message>
        <source>wait until it has read some, or take some back on its card</source>
        <translation>いくつか読まれるのを待つか、カードで取り下げてください</translation>
    </message>
    <message>
        <source>choose one in its settings</source>
        <translation>設定で選んでください</translation>
    </message>
    <message>
        <source>write it in its settings</source>
        <translation>設定で書いてください</translation>
    </message>
    <message>
        <source>leave the text out to take it as it is, or give another path</source>
        <translation>テキストを書かずにそのまま使うか、別のパスを指定してください</translation>
    </message>
    <message>
        <source>to install it: {command} (it needs {needs}); if it is there, restart the runtime, which has the PATH that it was started with: kavor runtime stop, kavor runtime start</source>
        <translation>インストールするには: {command}（{needs} が必要）。すでにある場合は、ランタイムを再起動してください。ランタイムの PATH は起動したときのものです: kavor runtime stop, kavor runtime start</translation>
    </message>
    <message>
        <source>to install it: {command}; if it is there, restart the runtime, which has the PATH that it was started with: kavor runtime stop, kavor runtime start</source>
        <translation>インストールするには: {command}。すでにある場合は、ランタイムを再起動してください。ランタイムの PATH は起動したときのものです: kavor runtime stop, kavor runtime start</translation>
    </message>
    <message>
        <source>write it, or leave it out</source>
        <translation>書くか、省いてください</translation>
    </message>
    <message>
        <source>a Guardrail binds a CodingAgent and one of its resources</source>
        <translation>ガードレールはコーディングエージェントとその資源の間に付きます</translation>
    </message>
</context>
<context>
    <name>Schedule</name>
    <message>
        <source>No target yet</source>
        <translation>ターゲットなし</translation>
    </message>
    <message>
        <source>to {target}</source>
        <translation>→ {target}</translation>
    </message>
    <message>
        <source>NO TIME AHEAD</source>
        <translation>予定なし</translation>
    </message>
    <message>
        <source>NEXT</source>
        <translation>次回</translation>
    </message>
    <message>
        <source>NEXT, ONCE RESUMED</source>
        <translation>再開した場合の次回</translation>
    </message>
    <message>
        <source>exit code {code}</source>
        <translation>終了コード {code}</translation>
    </message>
    <message>
        <source>ran {time}</source>
        <translation>所要 {time}</translation>
    </message>
    <message>
        <source>Nothing has happened yet</source>
        <translation>まだ何も起きていません</translation>
    </message>
</context>
<context>
    <name>Selection</name>
    <message>
        <source>{count} Nodes are selected</source>
        <translation>{count} 個のノードを選択中</translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>開く</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>再起動</translation>
    </message>
    <message>
        <source>Close session</source>
        <translation>セッションを閉じる</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名前</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>閉じる (Esc)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>閉じる</translation>
    </message>
    <message>
        <source>your login shell</source>
        <translation>ログインシェル</translation>
    </message>
    <message>
        <source>the Workspace&apos;s folder</source>
        <translation>ワークスペースのフォルダー</translation>
    </message>
    <message>
        <source>Shell</source>
        <translation>シェル</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>フォルダー</translation>
    </message>
    <message>
        <source>An open session keeps its shell and folder until it is restarted.</source>
        <translation>開いているセッションのシェルとフォルダーは、再起動するまで変わりません。</translation>
    </message>
    <message>
        <source>SHELL</source>
        <translation>シェル</translation>
    </message>
    <message>
        <source>FOLDER</source>
        <translation>フォルダー</translation>
    </message>
</context>
<context>
    <name>Shortcut</name>
    <message>
        <source>Edit, or settings</source>
        <translation>編集・設定</translation>
    </message>
    <message>
        <source>History</source>
        <translation>履歴</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>再開</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>一時停止</translation>
    </message>
    <message>
        <source>Run now</source>
        <translation>今すぐ実行</translation>
    </message>
    <message>
        <source>Dismiss what was missed</source>
        <translation>未実行を確認済みにする</translation>
    </message>
</context>
<context>
    <name>State</name>
    <message>
        <source>Pending</source>
        <translation>待機中</translation>
    </message>
    <message>
        <source>Delivering</source>
        <translation>送信中</translation>
    </message>
    <message>
        <source>Completed</source>
        <translation>完了</translation>
    </message>
    <message>
        <source>Needs attention</source>
        <translation>要対応</translation>
    </message>
    <message>
        <source>Fired</source>
        <translation>送信済み</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失敗</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>中断</translation>
    </message>
    <message>
        <source>Blocked</source>
        <translation>実行不可</translation>
    </message>
    <message>
        <source>Missed</source>
        <translation>未実行</translation>
    </message>
    <message>
        <source>Coalesced</source>
        <translation>統合</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>稼働中</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>一時停止</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>動作中</translation>
    </message>
    <message>
        <source>Closed</source>
        <translation>停止中</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>終了</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>起動中</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>待機中</translation>
    </message>
    <message>
        <source>Working</source>
        <translation>作業中</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>下書き</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>準備完了</translation>
    </message>
    <message>
        <source>In progress</source>
        <translation>進行中</translation>
    </message>
    <message>
        <source>In review</source>
        <translation>レビュー中</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完了済み</translation>
    </message>
</context>
<context>
    <name>Step</name>
    <message>
        <source>Add {name}</source>
        <translation>{name} を追加</translation>
    </message>
    <message>
        <source>Connect {one} and {other}</source>
        <translation>{one} と {other} を接続</translation>
    </message>
    <message>
        <source>Rename {name}</source>
        <translation>{name} の名前を変更</translation>
    </message>
    <message>
        <source>Edit {name}</source>
        <translation>{name} を編集</translation>
    </message>
    <message>
        <source>Change {name}</source>
        <translation>{name} を変更</translation>
    </message>
    <message>
        <source>Change the Connection of {one} and {other}</source>
        <translation>{one} と {other} の接続を変更</translation>
    </message>
    <message>
        <source>Move</source>
        <translation>移動</translation>
    </message>
    <message>
        <source>Disconnect</source>
        <translation>接続を解除</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>削除</translation>
    </message>
    <message>
        <source>{verb} {name}</source>
        <translation>{name} を{verb}</translation>
    </message>
    <message>
        <source>{verb} {count} Nodes</source>
        <translation>{count} 個のノードを{verb}</translation>
    </message>
</context>
<context>
    <name>StickyNote</name>
    <message>
        <source>Nothing is written here yet</source>
        <translation>まだ何も書かれていません</translation>
    </message>
</context>
<context>
    <name>Terminal</name>
    <message>
        <source>The session is closed</source>
        <translation>セッションは閉じています</translation>
    </message>
    <message>
        <source>The session ended</source>
        <translation>セッションは終了しました</translation>
    </message>
    <message>
        <source>Terminal</source>
        <translation>ターミナル</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>コピー</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>貼り付け</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>すべて選択</translation>
    </message>
    <message>
        <source>Back to the canvas</source>
        <translation>キャンバスに戻る</translation>
    </message>
</context>
<context>
    <name>Texts</name>
    <message>
        <source>Edited elsewhere meanwhile. There it says:</source>
        <translation>その間に別の場所で編集されました。そちらの内容:</translation>
    </message>
    <message>
        <source>What is there now</source>
        <translation>現在の内容</translation>
    </message>
    <message>
        <source>Take that</source>
        <translation>そちらを使う</translation>
    </message>
    <message>
        <source>Save mine over it</source>
        <translation>自分の内容で上書き保存</translation>
    </message>
    <message>
        <source>Text of {name}</source>
        <translation>{name} のテキスト</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Not saved yet</source>
        <translation>未保存</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>保存済み</translation>
    </message>
    <message>
        <source>Its lines end in several ways, which would not all be kept</source>
        <translation>行末の形式が混在しており、そのままでは保存できません</translation>
    </message>
    <message>
        <source>edit it in a Terminal</source>
        <translation>ターミナルで編集してください</translation>
    </message>
</context>
<context>
    <name>Time</name>
    <message>
        <source>{day} {clock}</source>
        <translation>{day} {clock}</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今日</translation>
    </message>
    <message>
        <source>Tomorrow</source>
        <translation>明日</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>昨日</translation>
    </message>
    <message>
        <source>ddd d MMM</source>
        <translation>M月d日(ddd)</translation>
    </message>
    <message>
        <source>ddd d MMM yyyy</source>
        <translation>yyyy年M月d日(ddd)</translation>
    </message>
    <message>
        <source>{days} d {hours} h</source>
        <translation>{days} 日 {hours} 時間</translation>
    </message>
    <message>
        <source>{hours} h {minutes} min</source>
        <translation>{hours} 時間 {minutes} 分</translation>
    </message>
    <message>
        <source>{ms} ms</source>
        <translation>{ms} ms</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} 秒</translation>
    </message>
    <message>
        <source>{minutes} min {seconds} s</source>
        <translation>{minutes} 分 {seconds} 秒</translation>
    </message>
    <message>
        <source>{days} d</source>
        <translation>{days} 日</translation>
    </message>
    <message>
        <source>{hours} h</source>
        <translation>{hours} 時間</translation>
    </message>
    <message>
        <source>{minutes} min</source>
        <translation>{minutes} 分</translation>
    </message>
</context>
<context>
    <name>Transcript</name>
    <message>
        <source>Transcript</source>
        <translation>やりとり</translation>
    </message>
    <message>
        <source>Show earlier</source>
        <translation>以前のものを表示</translation>
    </message>
    <message>
        <source>All of it</source>
        <translation>全文</translation>
    </message>
    <message>
        <source>Thought</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>詳細</translation>
    </message>
    <message>
        <source>Asked: {question}</source>
        <translation>質問: {question}</translation>
    </message>
    <message>
        <source>– answered: {answer}</source>
        <translation>– 回答: {answer}</translation>
    </message>
    <message>
        <source>refused: {why}</source>
        <translation>拒否: {why}</translation>
    </message>
</context>
<context>
    <name>Turns</name>
    <message>
        <source>It has not finished anything yet.</source>
        <translation>まだ完了したものはありません。</translation>
    </message>
    <message>
        <source>Turns</source>
        <translation>ターン</translation>
    </message>
    <message>
        <source>Past turns</source>
        <translation>過去のターン</translation>
    </message>
    <message>
        <source>Past turns of {name}</source>
        <translation>{name} の過去のターン</translation>
    </message>
</context>
<context>
    <name>Undo</name>
    <message>
        <source>Connected again. It stays Paused: Resume it when you are ready.</source>
        <translation>再び接続しました。一時停止のままです。準備ができたら再開してください。</translation>
    </message>
    <message>
        <source>Not all of it is back yet. Undo again for the rest.</source>
        <translation>まだすべては元に戻っていません。残りを戻すには、もう一度元に戻してください。</translation>
    </message>
    <message>
        <source>“{name}” is back with a new shell. What ran in the old one has ended.</source>
        <translation>「{name}」を新しいシェルで戻しました。前のシェルで動いていたものは終了しています。</translation>
    </message>
    <message>
        <source>“{name}” is back with a new session, and without its past.</source>
        <translation>「{name}」は新しいセッションで戻りました。過去のやりとりはありません。</translation>
    </message>
    <message>
        <source>“{name}” is back, Paused, with a history that begins anew.</source>
        <translation>「{name}」を一時停止の状態で戻しました。履歴は新しく始まります。</translation>
    </message>
    <message>
        <source>“{name}” is back, Paused. Resume it when you are ready.</source>
        <translation>「{name}」を一時停止の状態で戻しました。準備ができたら再開してください。</translation>
    </message>
    <message>
        <source>Its text stays: a Schedule cannot be saved without one.</source>
        <translation>内容はそのまま残ります。スケジュールは内容なしでは保存できません。</translation>
    </message>
    <message>
        <source>The text was edited since</source>
        <translation>その後にテキストが編集されています</translation>
    </message>
    <message>
        <source>undo would lose that; edit it by hand</source>
        <translation>取り消すとその編集が失われます。手で編集してください</translation>
    </message>
</context>
<context>
    <name>Unsaved</name>
    <message>
        <source>Not saved: edited elsewhere meanwhile</source>
        <translation>未保存: その間に別の場所で編集されました</translation>
    </message>
    <message>
        <source>Not saved yet</source>
        <translation>未保存</translation>
    </message>
</context>
<context>
    <name>View</name>
    <message>
        <source>Canvas</source>
        <translation>キャンバス</translation>
    </message>
</context>
<context>
    <name>Waiting</name>
    <message>
        <source>the session is starting</source>
        <translation>セッションの起動中</translation>
    </message>
    <message>
        <source>the target is busy</source>
        <translation>ターゲットが使用中</translation>
    </message>
    <message>
        <source>somebody is typing there</source>
        <translation>入力の途中</translation>
    </message>
    <message>
        <source>a full-screen program is open</source>
        <translation>全画面のプログラムが開いている</translation>
    </message>
    <message>
        <source>the agent waits for your answer</source>
        <translation>エージェントが回答を待っています</translation>
    </message>
    <message>
        <source>its Workspace&apos;s directory does not answer</source>
        <translation>ワークスペースのフォルダーが応答していません</translation>
    </message>
</context>
<context>
    <name>Window</name>
    <message>
        <source>Workspaces</source>
        <translation>ワークスペース</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>拡大</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>縮小</translation>
    </message>
    <message>
        <source>Zoom to 100 %</source>
        <translation>100 % で表示</translation>
    </message>
    <message>
        <source>Fit all</source>
        <translation>全体を表示</translation>
    </message>
    <message>
        <source>Fit selection</source>
        <translation>選択範囲を表示</translation>
    </message>
    <message>
        <source>Next Workspace</source>
        <translation>次のワークスペース</translation>
    </message>
    <message>
        <source>Previous Workspace</source>
        <translation>前のワークスペース</translation>
    </message>
    <message>
        <source>Open a Workspace…</source>
        <translation>ワークスペースを開く…</translation>
    </message>
    <message>
        <source>Close the window</source>
        <translation>ウィンドウを閉じる</translation>
    </message>
    <message>
        <source>Choose the Workspace&apos;s folder</source>
        <translation>ワークスペースのフォルダーを選択</translation>
    </message>
</context>
<context>
    <name>Zone</name>
    <message>
        <source>Times in {zone}, this machine&apos;s zone.</source>
        <translation>時刻はこのマシンのタイムゾーン {zone} です。</translation>
    </message>
    <message>
        <source>Saved in {stored}; this machine is in {here}.</source>
        <translation>{stored} で保存されています。このマシンは {here} です。</translation>
    </message>
    <message>
        <source>Now the next is {time}.</source>
        <translation>現在の次回は {time} です。</translation>
    </message>
    <message>
        <source>A save moves it to {here}, and it is {time}.</source>
        <translation>保存すると {here} に移り、次回は {time} になります。</translation>
    </message>
    <message>
        <source>never</source>
        <translation>なし</translation>
    </message>
    <message>
        <source>{there} there, {here} here</source>
        <translation>先方 {there}、こちら {here}</translation>
    </message>
</context>
<context>
    <name>Zoom</name>
    <message>
        <source>Zoom out</source>
        <translation>縮小</translation>
    </message>
    <message>
        <source>Zoom to 100 %</source>
        <translation>100 % で表示</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>拡大</translation>
    </message>
    <message>
        <source>Fit all</source>
        <translation>全体を表示</translation>
    </message>
</context>
</TS>
