// A reply as JSON, for logs and web applications. Stateless; any thread.
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Garnet.Client;

/// <summary>
/// Writes a reply by its meaning: strings as strings, integers, doubles and booleans as such, nulls as null, arrays, sets and pushes as
/// arrays, maps as objects (with keys as text), an error as <c>{"error": "ERR ..."}</c>. Bytes that are not UTF-8 become U+FFFD, and a
/// double that JSON cannot express is a string (<c>"inf"</c>, <c>"-inf"</c>, <c>"nan"</c>). Reading is not supported, because JSON does not
/// preserve the reply's type.
/// </summary>
public sealed class RespValueJsonConverter : JsonConverter<RespValue>
{
    /// <summary>Not supported: JSON does not preserve RESP's types.</summary>
    public override RespValue Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
        throw new NotSupportedException("A reply can be written as JSON, but not read from it: JSON does not preserve RESP's types.");

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, RespValue value, JsonSerializerOptions options)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(value);
        switch (value.Kind)
        {
            case RespKind.Null or RespKind.NullBulkString or RespKind.NullArray:
                writer.WriteNullValue();
                break;
            case RespKind.Integer:
                writer.WriteNumberValue(value.Integer);
                break;
            case RespKind.Boolean:
                writer.WriteBooleanValue(value.Integer != 0);
                break;
            case RespKind.Double when double.IsFinite(value.Double):
                writer.WriteNumberValue(value.Double);
                break;
            case RespKind.Error or RespKind.BulkError:
                writer.WriteStartObject();
                writer.WriteString("error"u8, value.Text);
                writer.WriteEndObject();
                break;
            case RespKind.Array or RespKind.Set or RespKind.Push:
                writer.WriteStartArray();
                foreach (RespValue child in value.Children)
                    Write(writer, child, options);
                writer.WriteEndArray();
                break;
            case RespKind.Map:
                WriteMap(writer, value, options);
                break;
            default:
                writer.WriteStringValue(value.Text);
                break;
        }
    }

    private void WriteMap(Utf8JsonWriter writer, RespValue map, JsonSerializerOptions options)
    {
        writer.WriteStartObject();
        for (int i = 0; i + 1 < map.Children.Count; i += 2)
        {
            RespValue key = map[i];
            writer.WritePropertyName(
                key.Kind is RespKind.Integer or RespKind.Boolean
                    ? key.Integer.ToString(System.Globalization.CultureInfo.InvariantCulture)
                    : key.Text
            );
            Write(writer, map[i + 1], options);
        }

        writer.WriteEndObject();
    }
}
