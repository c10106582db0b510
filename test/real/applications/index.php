<?php
// The development server of PHP answers every path without a file with this script.
session_start();
?>
<!DOCTYPE html>
<html lang="en"><head><title>Guest book</title></head>
<body><h1>Guest book</h1><p>You asked for <?= htmlspecialchars(parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH) ?: '/') ?>.</p>
<form method="post"><input name="entry"><button>Write</button></form></body></html>
