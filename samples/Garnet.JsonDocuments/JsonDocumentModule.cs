// JSON documents with paths: a type of value of its own. One instance for each server; commands run on many threads.
using Garnet.Modules;

namespace Garnet.JsonDocuments;

/// <summary>Documents that clients read and change by paths such as <c>$.users[3].name</c>.</summary>
[Module("json")]
public sealed class JsonDocumentModule : IModule
{
    private ModuleOption<long> _maxBytes = null!;

    public void Load(IModuleHost host)
    {
        host.AddType(DocumentType.Instance);
        _maxBytes = host.AddOption("json.max-bytes", 64 << 20, 1, 256 << 20);
    }

    [Command("JSON.SET", CommandFlags.Write | CommandFlags.DenyOom, Summary = "Sets the value at a path; $ is the whole document.")]
    public void Set(
        ref ModuleContext context,
        [Key] ref CustomKey<DocumentType> document,
        ReadOnlySpan<byte> path,
        ReadOnlySpan<byte> value,
        [Option("NX")] bool ifAbsent = false,
        [Option("XX")] bool ifPresent = false
    )
    {
        if (JsonPath.Parse(path) is not { } parsed)
            context.Reply.WriteError("ERR the path is none"u8);
        else if (document.Payload.Length + (long)value.Length > _maxBytes.Value)
            context.Reply.WriteError("ERR the document is larger than json.max-bytes"u8);
        else if (!DocumentText.IsValid(value))
            context.Reply.WriteError("ERR the value is no JSON"u8);
        else
            Set(ref context, ref document, parsed, value, ifAbsent, ifPresent);
    }

    [Command("JSON.GET", CommandFlags.ReadOnly, Summary = "The value at a path; null if there is none.")]
    public static void Get(
        ref ModuleContext context,
        [Key] ref CustomKey<DocumentType> document,
        [Option("PATH")] ReadOnlySpan<byte> path = default
    )
    {
        if (JsonPath.Parse(path) is not { } parsed)
            context.Reply.WriteError("ERR the path is none"u8);
        else if (document.Exists && DocumentText.TryFind(document.Payload, parsed, parsed.Steps.Count, out Range found))
            context.Reply.WriteBulk(document.Payload[found]);
        else
            context.Reply.WriteNull();
    }

    [Command("JSON.COUNT", CommandFlags.ReadOnly, Summary = "Number of elements or members of the value at a path; null if there is none.")]
    public static void Count(ref ModuleContext context, [Key] ref CustomKey<DocumentType> document, ReadOnlySpan<byte> path)
    {
        if (JsonPath.Parse(path) is not { } parsed)
            context.Reply.WriteError("ERR the path is none"u8);
        else if (document.Exists && DocumentText.TryFind(document.Payload, parsed, parsed.Steps.Count, out Range found))
            context.Reply.WriteInteger(DocumentText.CountOf(document.Payload[found]));
        else
            context.Reply.WriteNull();
    }

    [Command("JSON.DEL", CommandFlags.Write, Summary = "Removes the value at a path, or the document; 1 if there was one.")]
    public static void Delete(ref ModuleContext context, [Key] ref CustomKey<DocumentType> document, ReadOnlySpan<byte> path)
    {
        if (JsonPath.Parse(path) is not { } parsed)
        {
            context.Reply.WriteError("ERR the path is none"u8);
            return;
        }

        byte[]? changed = document.Exists ? DocumentText.Remove(document.Payload, parsed) : null;
        if (changed is not null)
            document.Set(changed);
        context.Reply.WriteInteger(changed is not null || (parsed.Steps.Count == 0 && document.Delete()) ? 1 : 0);
    }

    private static void Set(
        ref ModuleContext context,
        ref CustomKey<DocumentType> document,
        JsonPath path,
        ReadOnlySpan<byte> value,
        bool ifAbsent,
        bool ifPresent
    )
    {
        bool exists = document.Exists && DocumentText.TryFind(document.Payload, path, path.Steps.Count, out _);
        if ((exists && ifAbsent) || (!exists && ifPresent))
        {
            context.Reply.WriteNull();
            return;
        }

        byte[]? changed =
            path.Steps.Count == 0 ? value.ToArray()
            : document.Exists ? DocumentText.Set(document.Payload, path, value)
            : null;
        if (changed is null)
        {
            context.Reply.WriteError("ERR there is nothing at this path to add the value to"u8);
        }
        else if (!DocumentText.IsValid(changed))
        {
            context.Reply.WriteError("ERR the document would be too deep"u8);
        }
        else
        {
            document.Set(changed);
            context.Reply.WriteOk();
        }
    }
}
