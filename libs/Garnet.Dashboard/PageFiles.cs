// The page as it is served. Immutable; any thread.
using System.Collections.Frozen;
using System.Security.Cryptography;
using Garnet.Dashboard.Http;
using Microsoft.AspNetCore.Http;

namespace Garnet.Dashboard;

/// <summary>The files that web/build.mjs has made, from the assembly.</summary>
internal static class PageFiles
{
    private static readonly FrozenDictionary<string, string> Types = new Dictionary<string, string>
    {
        ["index.html"] = "text/html; charset=utf-8",
        ["app.js"] = "text/javascript; charset=utf-8",
        ["app.css"] = "text/css; charset=utf-8",
        ["icon.svg"] = "image/svg+xml",
        ["licences.txt"] = "text/plain; charset=utf-8",
    }.ToFrozenDictionary();

    private static readonly FrozenDictionary<string, (byte[] Bytes, string Tag)> Files = Types.Keys.ToFrozenDictionary(
        static name => name,
        static name =>
        {
            byte[] bytes = Read(name);
            return (bytes, $"\"{Convert.ToHexString(SHA256.HashData(bytes).AsSpan(0, 8))}\"");
        }
    );

    /// <summary>The names of all files.</summary>
    public static IEnumerable<string> Names => Types.Keys;

    /// <summary>The length of a file, in bytes.</summary>
    public static int LengthOf(string name) => Files[name].Bytes.Length;

    /// <summary>Answers with a file; false when there is none of this name.</summary>
    public static bool TryServe(HttpContext context, string name, out Task served)
    {
        served = Task.CompletedTask;
        if (!Files.TryGetValue(name, out (byte[] Bytes, string Tag) file))
            return false;
        // Asked for each time, as a newer server has a newer page.
        context.Response.Headers.CacheControl = "no-cache";
        context.Response.Headers.ETag = file.Tag;
        if (context.Request.Headers.IfNoneMatch == file.Tag)
            context.Response.StatusCode = StatusCodes.Status304NotModified;
        else
            served = Answer.BytesAsync(context, file.Bytes, Types[name]);
        return true;
    }

    private static byte[] Read(string name)
    {
        using Stream stream = typeof(PageFiles).Assembly.GetManifestResourceStream(name)!;
        byte[] bytes = new byte[stream.Length];
        stream.ReadExactly(bytes);
        return bytes;
    }
}
