// Replies as the page reads them. Stateless.
using System.Text.Json;
using Garnet.Client;

namespace Garnet.Dashboard.Panels;

/// <summary>
/// Strings are bytes, in Base64, so that each of them arrives as it is: <c>{"b": ...}</c>; <c>{"s": ...}</c> is a status, <c>{"e": ...}</c>
/// an error, <c>{"i": ...}</c> a number as text, <c>null</c> a null, <c>{"a": [...]}</c> an array, set or push, and <c>{"m": [...]}</c> the
/// alternating keys and values of a map.
/// </summary>
internal static class ReplyJson
{
    /// <summary>Writes a reply as a value.</summary>
    public static void Write(Utf8JsonWriter json, RespValue reply)
    {
        if (reply.IsNull)
        {
            json.WriteNullValue();
            return;
        }

        json.WriteStartObject();
        switch (reply.Kind)
        {
            case RespKind.SimpleString:
                json.WriteString("s", reply.AsString());
                break;
            case RespKind.Error or RespKind.BulkError:
                json.WriteString("e", reply.ErrorMessage);
                break;
            case RespKind.BulkString or RespKind.VerbatimString:
                json.WriteBase64String("b", reply.Bytes.Span);
                break;
            case RespKind.Boolean:
                json.WriteString("i", reply.AsBoolean() ? "true" : "false");
                break;
            case RespKind.Array or RespKind.Set or RespKind.Push or RespKind.Map:
                json.WriteStartArray(reply.Kind == RespKind.Map ? "m" : "a");
                foreach (RespValue child in reply.Children)
                    Write(json, child);
                json.WriteEndArray();
                break;
            default:
                json.WriteString("i", reply.AsString());
                break;
        }

        json.WriteEndObject();
    }
}
