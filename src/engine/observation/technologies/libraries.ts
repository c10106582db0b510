import type { Technology } from './technology';

/**
 * A library by the names that its files have: `name-1.2.3.min.js`, `name@1.2.3/`, `/name/1.2.3/` and `name.min.js`, which
 * does not state a version. The first that matches counts.
 */
const library = (name: string, vendor: string, file: string, cpe?: string): Technology => ({
  name,
  vendor,
  ...(cpe === undefined ? {} : { cpe }),
  scripts: [
    new RegExp(
      `(?:^|/)${file}[.-]v?(?<version>\\d+\\.\\d+(?:\\.\\d+)?(?:-\\w{1,20})?)(?:[.-](?:min|slim|bundle|prod|global)){0,3}\\.(?:js|css)\\b`,
      'i',
    ),
    new RegExp(`/${file}@v?(?<version>\\d+(?:\\.\\d+){0,2})(?:/|$)`, 'i'),
    new RegExp(`/${file}/v?(?<version>\\d+\\.\\d+(?:\\.\\d+)?)/[^?#]{1,200}\\.(?:js|css)\\b`, 'i'),
    new RegExp(
      `(?:^|/)${file}(?:[.-](?:min|slim|bundle|prod|global|esm-browser)){0,3}\\.(?:js|css|php)(?:[?#]|$)`,
      'i',
    ),
  ],
});

/** Libraries that pages load. */
export const LIBRARIES: readonly Technology[] = [
  library('jQuery', 'OpenJS Foundation', 'jquery', 'jquery:jquery'),
  library('jQuery UI', 'OpenJS Foundation', 'jquery[.-]?ui', 'jqueryui:jquery_ui'),
  library('jQuery Migrate', 'OpenJS Foundation', 'jquery-migrate', 'jquery:jquery_migrate'),
  library('Bootstrap', 'Bootstrap', 'bootstrap', 'getbootstrap:bootstrap'),
  library('AngularJS', 'Google', 'angular(?:\\.?js)?', 'angularjs:angular.js'),
  library('Vue.js', 'Vue.js', 'vue', 'vuejs:vue.js'),
  library('React', 'Meta', 'react(?:-dom)?', 'facebook:react'),
  library('Preact', 'Preact', 'preact'),
  library('Lodash', 'OpenJS Foundation', 'lodash(?:\\.js)?', 'lodash:lodash'),
  library('Moment.js', 'Moment.js', 'moment(?:\\.js|-with-locales)?', 'momentjs:moment'),
  library('D3', 'D3', 'd3', 'd3:d3'),
  library('Underscore.js', 'Underscore.js', 'underscore(?:\\.js)?', 'underscorejs:underscore'),
  library('Backbone.js', 'Backbone.js', 'backbone(?:\\.js)?', 'backbonejs:backbone.js'),
  library('Handlebars', 'Handlebars', 'handlebars(?:\\.js)?', 'handlebarsjs:handlebars'),
  library('Knockout', 'Knockout', 'knockout', 'knockoutjs:knockout'),
  library('Prototype', 'Prototype', 'prototype', 'prototypejs:prototype'),
  library('MooTools', 'MooTools', 'mootools(?:-core|-more)?', 'mootools:mootools'),
  library('Modernizr', 'Modernizr', 'modernizr'),
  library('Three.js', 'Three.js', 'three'),
  library('Chart.js', 'Chart.js', 'chart(?:\\.js)?', 'chartjs:chart.js'),
  library('Highcharts', 'Highsoft', 'highcharts', 'highcharts:highcharts'),
  library('Leaflet', 'Leaflet', 'leaflet'),
  library('Select2', 'Select2', 'select2', 'select2:select2'),
  library('DataTables', 'SpryMedia', '(?:jquery\\.)?datatables', 'datatables:datatables.net'),
  library('Swiper', 'Swiper', 'swiper', 'swiperjs:swiper'),
  library('Alpine.js', 'Alpine.js', 'alpine(?:js)?'),
  library('htmx', 'Big Sky Software', 'htmx(?:\\.org)?'),
  library('Axios', 'Axios', 'axios', 'axios:axios'),
  library('Font Awesome', 'Fonticons', 'font-?awesome'),
  library('TinyMCE', 'Tiny', 'tinymce', 'tiny:tinymce'),
  library('CKEditor', 'CKSource', 'ckeditor', 'ckeditor:ckeditor'),
  library('Socket.IO', 'Socket.IO', 'socket\\.io', 'socket:socket.io'),
  library('Popper', 'Floating UI', 'popper(?:\\.js)?'),
  library('RequireJS', 'OpenJS Foundation', 'require(?:js)?', 'requirejs:requirejs'),
];
