// The documentation of commands, from a file embedded in the assembly. Loaded on first use; any thread.
// The texts are Valkey's (BSD-3-Clause, see THIRD-PARTY-NOTICES.md); generate-command-docs.py creates the file.
using System.Text;
using System.Text.Json;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Protocol;

namespace Garnet.Server.Documentation;

/// <summary>Answers COMMAND DOCS. Only an index of the lines is kept; a line is parsed each time it is needed.</summary>
internal static class CommandDocumentation
{
    private static readonly Lazy<byte[]> Text = new(ReadText);
    private static readonly Lazy<Dictionary<string, Range>> Lines = new(IndexLines);

    /// <summary>Writes the map of one command; if the file lacks it, only the data of its descriptor.</summary>
    public static void Write(ref RespWriter reply, Command command)
    {
        int subcommands = command.Subcommands.Count > 0 ? 1 : 0;
        if (Lines.Value.TryGetValue(command.FullName, out Range line))
        {
            using var document = JsonDocument.Parse(Text.Value.AsMemory(line));
            reply.WriteMap(document.RootElement.GetPropertyCount() + subcommands);
            foreach (JsonProperty property in document.RootElement.EnumerateObject())
                WriteProperty(ref reply, property);
        }
        else if (command.Descriptor.Syntax is { } syntax)
        {
            WriteSyntax(ref reply, command.Descriptor, syntax);
        }
        else
        {
            reply.WriteMap(2 + subcommands);
            reply.WriteBulk("since"u8);
            reply.WriteBulk(command.Descriptor.Since);
            reply.WriteBulk("group"u8);
            reply.WriteBulk(NameOf(command.Descriptor.Group));
        }

        if (subcommands == 0)
            return;
        reply.WriteBulk("subcommands"u8);
        reply.WriteMap(command.Subcommands.Count);
        foreach (Command subcommand in command.Subcommands)
        {
            reply.WriteBulk(subcommand.FullNameBytes);
            Write(ref reply, subcommand);
        }
    }

    private static string NameOf(CommandGroup group) =>
        group == CommandGroup.SortedSet ? "sorted-set" : group.ToString().ToLowerInvariant();

    private static void WriteSyntax(ref RespWriter reply, CommandDescriptor descriptor, CommandSyntax syntax)
    {
        int fields = (syntax.Summary is null ? 0 : 1) + (descriptor.Module is null ? 0 : 1) + (syntax.Arguments.Length == 0 ? 0 : 1);
        reply.WriteMap(2 + fields);
        if (syntax.Summary is { } summary)
            WriteField(ref reply, "summary"u8, summary);
        WriteField(ref reply, "since"u8, descriptor.Since);
        WriteField(ref reply, "group"u8, NameOf(descriptor.Group));
        if (descriptor.Module is { } module)
            WriteField(ref reply, "module"u8, module);
        if (syntax.Arguments.Length == 0)
            return;
        reply.WriteBulk("arguments"u8);
        reply.WriteArray(syntax.Arguments.Length);
        foreach (CommandArgument argument in syntax.Arguments)
            WriteArgument(ref reply, argument);
    }

    private static void WriteArgument(ref RespWriter reply, CommandArgument argument)
    {
        bool isOptional = argument.Keyword is not null || argument.IsList;
        reply.WriteMap(2 + (argument.Kind == "key" ? 1 : 0) + (argument.Keyword is null ? 0 : 1) + (isOptional ? 1 : 0));
        WriteField(ref reply, "name"u8, argument.Name);
        WriteField(ref reply, "type"u8, argument.Kind);
        if (argument.Kind == "key")
        {
            reply.WriteBulk("key_spec_index"u8);
            reply.WriteInteger(0);
        }

        if (argument.Keyword is { } keyword)
            WriteField(ref reply, "token"u8, keyword);
        if (!isOptional)
            return;
        reply.WriteBulk("flags"u8);
        reply.WriteSet(argument.IsList ? 2 : 1);
        reply.WriteSimpleString("optional"u8);
        if (argument.IsList)
            reply.WriteSimpleString("multiple"u8);
    }

    private static void WriteField(ref RespWriter reply, ReadOnlySpan<byte> name, string value)
    {
        reply.WriteBulk(name);
        reply.WriteBulk(value);
    }

    private static void WriteProperty(ref RespWriter reply, JsonProperty property)
    {
        reply.WriteBulk(property.Name);
        JsonElement value = property.Value;
        switch (property.Name)
        {
            case "arguments":
                reply.WriteArray(value.GetArrayLength());
                foreach (JsonElement argument in value.EnumerateArray())
                    WriteMap(ref reply, argument);
                break;
            case "history":
                reply.WriteSet(value.GetArrayLength());
                foreach (JsonElement change in value.EnumerateArray())
                {
                    reply.WriteArray(2);
                    reply.WriteBulk(change[0].GetString()!);
                    reply.WriteBulk(change[1].GetString()!);
                }

                break;
            case "flags" or "doc_flags":
                reply.WriteSet(value.GetArrayLength());
                foreach (JsonElement flag in value.EnumerateArray())
                    reply.WriteSimpleString(Encoding.ASCII.GetBytes(flag.GetString()!));
                break;
            default:
                if (value.ValueKind == JsonValueKind.Number)
                    reply.WriteInteger(value.GetInt64());
                else
                    reply.WriteBulk(value.GetString()!);
                break;
        }
    }

    private static void WriteMap(ref RespWriter reply, JsonElement map)
    {
        reply.WriteMap(map.GetPropertyCount());
        foreach (JsonProperty property in map.EnumerateObject())
            WriteProperty(ref reply, property);
    }

    private static byte[] ReadText()
    {
        using Stream stream = typeof(CommandDocumentation).Assembly.GetManifestResourceStream("command-docs.txt")!;
        byte[] text = new byte[stream.Length];
        stream.ReadExactly(text);
        return text;
    }

    private static Dictionary<string, Range> IndexLines()
    {
        Dictionary<string, Range> lines = [];
        ReadOnlySpan<byte> text = Text.Value;
        for (int start = 0; start < text.Length; )
        {
            int tab = start + text[start..].IndexOf((byte)'\t');
            int end = tab + text[tab..].IndexOf((byte)'\n');
            lines.Add(Encoding.ASCII.GetString(text[start..tab]), (tab + 1)..end);
            start = end + 1;
        }

        return lines;
    }
}
