// Writes responses. Stateless; any thread.
using System.Buffers;
using System.Text;
using System.Text.Json;
using Microsoft.AspNetCore.Http;

namespace Garnet.Dashboard.Http;

/// <summary>Responses in JSON, text and bytes.</summary>
internal static class Answer
{
    /// <summary>An object in JSON, whose members a caller writes.</summary>
    public static Task JsonAsync(HttpContext context, Action<Utf8JsonWriter> members, int status = StatusCodes.Status200OK)
    {
        var buffer = new ArrayBufferWriter<byte>(1024);
        using (var json = new Utf8JsonWriter(buffer))
        {
            json.WriteStartObject();
            members(json);
            json.WriteEndObject();
        }

        return BytesAsync(context, buffer.WrittenMemory, "application/json", status);
    }

    /// <summary>What went wrong, as <c>{"error": ...}</c>.</summary>
    public static Task ErrorAsync(HttpContext context, int status, string text) =>
        JsonAsync(context, json => json.WriteString("error", text), status);

    /// <summary>A line of text.</summary>
    public static Task TextAsync(HttpContext context, int status, string text) =>
        BytesAsync(context, Encoding.UTF8.GetBytes(text + "\n"), "text/plain; charset=utf-8", status);

    /// <summary>Bytes.</summary>
    public static Task BytesAsync(HttpContext context, ReadOnlyMemory<byte> body, string contentType, int status = StatusCodes.Status200OK)
    {
        context.Response.StatusCode = status;
        context.Response.ContentType = contentType;
        context.Response.ContentLength = body.Length;
        return HttpMethods.IsHead(context.Request.Method)
            ? Task.CompletedTask
            : context.Response.Body.WriteAsync(body, context.RequestAborted).AsTask();
    }
}
