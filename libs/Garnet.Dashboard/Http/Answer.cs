// Writes responses. Stateless; any thread.
using System.Buffers;
using System.Text;
using System.Text.Json;
using Microsoft.AspNetCore.Http;

namespace Garnet.Dashboard.Http;

/// <summary>Responses in JSON, text and bytes.</summary>
internal static class Answer
{
    /// <summary>The server is given this much at a time: its buffer takes all of what it is given at once, whatever its limit.</summary>
    public const int PieceBytes = 16 * 1024;

    /// <summary>What has not been read by then is given up; until then it takes memory.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

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

        RequestMemory.Of(context).Take(buffer.Capacity);
        return BytesAsync(context, buffer.WrittenMemory, "application/json", status);
    }

    /// <summary>What went wrong, as <c>{"error": ...}</c>.</summary>
    public static Task ErrorAsync(HttpContext context, int status, string text) =>
        JsonAsync(context, json => json.WriteString("error", text), status);

    /// <summary>A line of text.</summary>
    public static Task TextAsync(HttpContext context, int status, string text) =>
        BytesAsync(context, Encoding.UTF8.GetBytes(text + "\n"), "text/plain; charset=utf-8", status);

    /// <summary>Bytes, which the caller has counted if they are this answer's alone.</summary>
    public static Task BytesAsync(HttpContext context, ReadOnlyMemory<byte> body, string contentType, int status = StatusCodes.Status200OK)
    {
        context.Response.StatusCode = status;
        context.Response.ContentType = contentType;
        context.Response.ContentLength = body.Length;
        return HttpMethods.IsHead(context.Request.Method) ? Task.CompletedTask : WriteAsync(context, body);
    }

    private static async Task WriteAsync(HttpContext context, ReadOnlyMemory<byte> body)
    {
        using var patience = new CancellationTokenSource(Patience, RequestMemory.Of(context).Time);
        using var end = CancellationTokenSource.CreateLinkedTokenSource(patience.Token, context.RequestAborted);
        try
        {
            for (int at = 0; at < body.Length; at += PieceBytes)
                await context.Response.Body.WriteAsync(body[at..Math.Min(at + PieceBytes, body.Length)], end.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (patience.IsCancellationRequested)
        {
            context.Abort();
        }
    }
}
