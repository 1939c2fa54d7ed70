// Reads what the page has sent. One request, one thread.
using System.Text.Json;
using Microsoft.AspNetCore.Http;

namespace Garnet.Dashboard.Http;

/// <summary>The object in a request's body; members of another kind than they should be are as good as absent.</summary>
internal sealed class RequestBody : IDisposable
{
    /// <summary>The largest body that is read, in bytes.</summary>
    public const int MaxBytes = 256 * 1024;

    private readonly JsonDocument _document;

    private RequestBody(JsonDocument document) => _document = document;

    /// <summary>The database that a request is about; the first one if it names none.</summary>
    public static int DatabaseOf(RequestBody? body) => (int)Math.Clamp(body?.Number("db") ?? 0, 0, int.MaxValue);

    /// <summary>Reads it; null when it is no object in JSON or too large.</summary>
    public static async Task<RequestBody?> ReadAsync(HttpContext context, int maxBytes = MaxBytes)
    {
        var memory = RequestMemory.Of(context);
        byte[] buffer = new byte[4096];
        int length = 0;
        while (true)
        {
            int read = await context.Request.Body.ReadAsync(buffer.AsMemory(length), context.RequestAborted).ConfigureAwait(false);
            if (read == 0)
                break;
            length += read;
            if (length > maxBytes)
                return null;
            if (length < buffer.Length)
                continue;
            // As much again for what is made of it.
            memory.Take(2 * buffer.Length);
            Array.Resize(ref buffer, buffer.Length * 2);
        }

        try
        {
            var document = JsonDocument.Parse(buffer.AsMemory(0, length));
            if (document.RootElement.ValueKind == JsonValueKind.Object)
                return new RequestBody(document);
            document.Dispose();
            return null;
        }
        catch (JsonException)
        {
            return null;
        }
    }

    /// <summary>A text; null when it is absent.</summary>
    public string? Text(string name) => Read(name, JsonValueKind.String, static value => value.GetString());

    /// <summary>A whole number; the default when it is absent.</summary>
    public long Number(string name, long otherwise = 0) =>
        Read(name, JsonValueKind.Number, static value => value.TryGetInt64(out long number) ? number : (long?)null) ?? otherwise;

    /// <summary>Whether a member is true.</summary>
    public bool Is(string name) => Read(name, JsonValueKind.True, static _ => true);

    /// <summary>Bytes, which are sent in Base64; null when they are absent.</summary>
    public byte[]? Bytes(string name) =>
        Read(name, JsonValueKind.String, static value => value.TryGetBytesFromBase64(out byte[]? bytes) ? bytes : null);

    /// <inheritdoc/>
    public void Dispose() => _document.Dispose();

    // Half a surrogate pair is JSON, and no text, also as the name of a member.
    private T? Read<T>(string name, JsonValueKind kind, Func<JsonElement, T> read)
    {
        try
        {
            return _document.RootElement.TryGetProperty(name, out JsonElement value) && value.ValueKind == kind ? read(value) : default;
        }
        catch (InvalidOperationException)
        {
            return default;
        }
    }
}
