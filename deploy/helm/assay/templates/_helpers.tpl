{{- define "assay.selector" -}}
{ app.kubernetes.io/name: assay, app.kubernetes.io/instance: {{ .root.Release.Name | quote }}, app.kubernetes.io/component: {{ .component }} }
{{- end }}

{{- define "assay.metadata" -}}
name: {{ .root.Release.Name }}-{{ .component }}
labels: {{ include "assay.selector" . }}
{{- end }}

{{/* Each process keeps its pool and, without Redis, two connections for notifications. One of each kind starts before another stops. */}}
{{- define "assay.poolSize" -}}
{{- $processes := add .Values.api.replicas .Values.worker.maxReplicas 2 }}
{{- $size := sub (div .Values.database.connections $processes) (ternary 0 2 .Values.redis) }}
{{- if lt $size 2 }}
{{- fail (printf "%d processes need more connections than database.connections has. Raise it, or lower worker.maxReplicas." $processes) }}
{{- end }}
{{- $size }}
{{- end }}

{{- define "assay.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
imagePullSecrets: {{ toYaml .Values.image.pullSecrets | nindent 2 }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "assay.volumes" -}}
- name: secrets
  secret: { secretName: {{ .Values.secrets.existing }}, defaultMode: 0440 }
- name: tmp
  emptyDir: { sizeLimit: 64Mi }
{{- end }}

{{- define "assay.container" -}}
image: {{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}
resources: {{ toYaml .resources | nindent 2 }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{- define "assay.mounts" -}}
- { name: secrets, mountPath: /run/secrets/assay, readOnly: true }
- { name: tmp, mountPath: /tmp }
{{- end }}

{{- define "assay.env" -}}
- { name: ENGINE_USER_AGENT, value: {{ required "Set userAgent: a contact for the owners of tested hosts." .Values.userAgent | quote }} }
- { name: API_URL, value: {{ required "Set hosts.api: the host of the API." .Values.hosts.api | printf "https://%s" | quote }} }
- { name: PORTAL_URL, value: {{ required "Set hosts.portal: the host of the portal." .Values.hosts.portal | printf "https://%s" | quote }} }
- { name: TRUSTED_PROXIES, value: {{ .Values.trustedProxies | quote }} }
- { name: DATABASE_POOL_SIZE, value: {{ include "assay.poolSize" . | quote }} }
{{- if not .Values.redis }}
- { name: API_PROCESSES, value: {{ .Values.api.replicas | quote }} }
{{- end }}
{{- if .Values.listener.enabled }}
- { name: CALLBACK_DOMAIN, value: {{ .Values.listener.domain | quote }} }
- { name: CALLBACK_KEY_FILE, value: /run/secrets/assay/CALLBACK_KEY }
{{- end }}
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- range $key := concat (list "DATABASE_URL" "SECRET_KEY") (ternary (list "REDIS_URL") (list) .Values.redis) .Values.secrets.more }}
- { name: {{ $key }}_FILE, value: /run/secrets/assay/{{ $key }} }
{{- end }}
{{- end }}

{{/* For Prometheus, and the probes of the worker */}}
{{- define "assay.metricsEnv" -}}
- { name: METRICS_PORT, value: '9464' }
- { name: METRICS_HOST, value: 0.0.0.0 }
{{- end }}

{{- define "assay.metricsIngress" -}}
- from:
    - namespaceSelector:
        matchLabels: { kubernetes.io/metadata.name: {{ .Values.networkPolicy.monitoringNamespace }} }
  ports:
    - { port: metrics }
{{- end }}

{{- define "assay.egress" -}}
- to:
    - ipBlock:
        cidr: 0.0.0.0/0
        except: {{ toYaml .Values.networkPolicy.egressExcept.ipv4 | nindent 10 }}
    - ipBlock:
        cidr: '::/0'
        except: {{ toYaml .Values.networkPolicy.egressExcept.ipv6 | nindent 10 }}
{{- end }}
