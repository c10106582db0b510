<?php
// A small shop for tests, which puts the value of `v` into statements as its path says. Started by `php -S`.
[$dsn, $user, $password] = json_decode(getenv('SHOP_DATABASE'), true);
$path = explode('/', trim(parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH), '/'));
[$mode, $context, $page] = $path + [1 => 'quoted', 2 => 'list'];
// The page of the control has no value.
if (!isset($_GET['v'])) exit('<title>Shop</title><h1>Items</h1><p>What are you looking for?</p>');
$v = $_GET['v'];
$where = [
    'number' => "id = $v",
    'list' => "id IN ($v)",
    'negative' => "id = -(-$v)",
    'product' => "id * 10 = $v*10",
    'quoted' => "name = '$v'",
    'quoted-number' => "id = '$v'",
    'quoted-list' => "name IN ('$v')",
    'function' => "lower(name) = lower('$v')",
    'coalesce' => "name = COALESCE(lower('$v'), name)",
    'unmatched' => "note = 'none' AND name = '$v'",
    'nested' => "name IN (lower('$v'))",
    'like' => "name LIKE '%$v%'",
    'suffix' => "concat(name, '-x') = '$v-x'",
    'argument' => "name = replace('$v', 'x', 'y')",
    'unselected' => "name = '$v' AND touched >= 0",
    'two' => "(name = '$v' OR note = '$v') AND id > 0",
    'not' => "NOT (name <> '$v')",
    'double' => "name = \"$v\"",
    'double-list' => "name IN (\"$v\")",
    'order' => "id < 4 ORDER BY $v",
    'direction' => "id < 4 ORDER BY name $v",
    'limit' => "id > 2 LIMIT $v",
][$context];
// Half a fix: it knows the words of SQL.
if ($mode === 'filtered' && preg_match('/case|when|select|and|having|sleep|cast|"|\'/i', $v)) $where = 'id = 0';
$sql = match ($mode) {
    'update' => "UPDATE items SET touched = touched + 1 WHERE $where",
    'delete' => "DELETE FROM items WHERE $where",
    default => "SELECT id, name FROM items WHERE $where",
};
header('Content-Type: text/html');
$noise = $page === 'noise' ? '<p>' . bin2hex(random_bytes(8)) . ' ' . ['rain', 'snow', 'wind', 'sun'][random_int(0, 3)] . '</p>' : '';
$rows = [];
try {
    $database = new PDO($dsn, $user, $password, [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
    // The mode in which texts are compared with numbers without an error.
    if (str_starts_with($dsn, 'mysql:')) $database->exec("SET SESSION sql_mode = ''");
    file_put_contents(getenv('SHOP_LOG'), str_replace("\n", ' ', $sql) . "\n", FILE_APPEND);
    if ($mode === 'fixed') {
        $number = ['number', 'list', 'negative', 'product', 'limit', 'quoted-number'];
        $sql = in_array($context, $number)
            ? 'SELECT id, name FROM items WHERE id = ?'
            : 'SELECT id, name FROM items WHERE name = ?';
        if (in_array($context, $number) && !ctype_digit($v)) {
            http_response_code((int) $page ?: 200);
            exit('<title>Shop</title><h1>Items</h1><p>Not a number</p>');
        }
        $statement = $database->prepare($sql);
        $statement->execute([$v]);
        $rows = $statement->fetchAll();
    } else {
        $answer = $database->query($sql);
        $rows = in_array($mode, ['select', 'filtered']) ? $answer->fetchAll() : [];
    }
} catch (PDOException $problem) {
    if ($page === 'list' || $page === 'noise') {
        http_response_code(500);
        exit("<title>Shop</title><p>Something failed</p>$noise");
    }
    if ($page === 'error') exit('<title>Shop</title><p>' . htmlspecialchars($problem->getMessage()) . '</p>');
}
if ($page === 'blind') $rows = [];
echo '<title>Shop</title><h1>Items</h1>', $noise;
if ($page === 'echo') echo '<p>You searched for ', htmlspecialchars($v), '</p>';
echo '<ul>';
foreach ($rows as [$id, $name]) echo '<li>', htmlspecialchars("$id: $name"), '</li>';
echo $rows ? '</ul>' : '</ul><p>Nothing found</p>';
