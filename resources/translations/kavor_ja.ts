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
        <translation>確認済みにする</translation>
    </message>
    <message>
        <source>Withdraw</source>
        <translation>取り下げる</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>開く</translation>
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
        <source>OUTPUT</source>
        <translation>出力</translation>
    </message>
    <message>
        <source>NO OUTPUT WAS SEEN</source>
        <translation>出力なし</translation>
    </message>
    <message>
        <source>OUTPUT (THE BEGINNING IS CUT)</source>
        <translation>出力(先頭は省略)</translation>
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
    <name>Delete</name>
    <message>
        <source>The shell of “{name}” ends, with whatever runs in it.</source>
        <translation>「{name}」のシェルと、その中で動いているものは終了します。</translation>
    </message>
    <message>
        <source>“{name}” loses its history.</source>
        <translation>「{name}」の履歴は失われます。</translation>
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
        <source>And {count} more.</source>
        <translation>ほか {count} 件。</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>削除</translation>
    </message>
</context>
<context>
    <name>Duration</name>
    <message>
        <source>Unit</source>
        <translation>単位</translation>
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
    <name>Header</name>
    <message>
        <source>State of the Workspace</source>
        <translation>ワークスペースの状態</translation>
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
        <source>Double-click anywhere, or press {key}, to add a Schedule or a Terminal.</source>
        <translation>どこかをダブルクリックするか {key} キーを押すと、スケジュールやターミナルを追加できます。</translation>
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
        <source>Add a Terminal</source>
        <translation>ターミナルを追加</translation>
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
        <source> (the defaults)</source>
        <translation>(既定値)</translation>
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
        <source>waits: {reason}</source>
        <translation>待機: {reason}</translation>
    </message>
    <message>
        <source>{count} times missed</source>
        <translation>{count} 回分が未実行</translation>
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
        <source>Edit the Schedule</source>
        <translation>スケジュールを編集</translation>
    </message>
    <message>
        <source>History of the Schedule</source>
        <translation>スケジュールの履歴</translation>
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
    <name>Undo</name>
    <message>
        <source>Connected again. It stays Paused: Resume it when you are ready.</source>
        <translation>再び接続しました。一時停止のままです。準備ができたら再開してください。</translation>
    </message>
    <message>
        <source>The command stays: a Schedule cannot be saved without one.</source>
        <translation>コマンドはそのままです。コマンドなしではスケジュールを保存できません。</translation>
    </message>
    <message>
        <source>“{name}” is back with a new shell. What ran in the old one has ended.</source>
        <translation>「{name}」を新しいシェルで戻しました。前のシェルで動いていたものは終了しています。</translation>
    </message>
    <message>
        <source>“{name}” is back, Paused, with a history that begins anew.</source>
        <translation>「{name}」を一時停止の状態で戻しました。履歴は新しく始まります。</translation>
    </message>
    <message>
        <source>“{name}” is back, Paused. Resume it when you are ready.</source>
        <translation>「{name}」を一時停止の状態で戻しました。準備ができたら再開してください。</translation>
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
        <source>the shell is starting</source>
        <translation>シェルが起動中</translation>
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
