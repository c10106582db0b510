<?php
// A page for tests that puts the value of `v` into shell commands as its path says. Started by `php -S`.
[$context, $page] = explode('/', trim(parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH), '/')) + [1 => 'output'];
$v = $_GET['v'] ?? '';
$without = fn(string $signs): string => str_replace(str_split($signs), '', $v);
$command = match ($context) {
    'plain' => "echo host $v",
    'middle' => "echo host $v --count 1",
    'single' => "echo 'host $v'",
    'double' => "echo \"host $v\"",
    'bash' => 'bash -c ' . escapeshellarg("echo host $v"),
    'no-semicolon' => 'echo host ' . $without(';&'),
    'no-pipe' => 'echo host ' . $without('|;&'),
    'only-pipe' => 'true ' . $without(';&$`()') ,
    'no-dollar' => 'echo host ' . $without(';&|$()'),
    'line' => "true # $v",
    'only-semicolon' => 'echo host ' . $without("|&\n$`() "),
    'only-ampersand' => 'echo host ' . $without("|;\n$`() "),
    'only-line' => 'echo host ' . $without('|;&$`() '),
    'no-space' => 'echo host ' . $without(' '),
    'no-space-no-dollar' => 'echo host ' . $without(' $`'),
    'no-words' => preg_match('/echo|expr|sleep|[;|&\n]/', $v) ? 'true' : "echo host $v",
    'line-alone' => 'echo host ' . $without(' ;|&$`'),
    'fixed' => 'echo host ' . escapeshellarg($v),
    default => null,
};
echo '<title>Tool</title><h1>Answer</h1><pre>';
if ($context === 'echo') echo htmlspecialchars($v);
if ($context === 'calculator') echo preg_replace_callback('/(\d+)([*+])(\d+)|(\d+) ([+]) (\d+)/', fn($m) => $m[2] === '*' ? $m[1] * $m[3] : (int) ($m[1] ?: $m[4]) + (int) ($m[3] ?: $m[6]), $v);
if ($context === 'number' && !is_numeric($v)) http_response_code(400);
$output = $command === null ? '' : (string) shell_exec("$command 2>/dev/null");
if ($page !== 'silent') echo htmlspecialchars($output);
echo '</pre>';
