// FUNCTION LIST [LIBRARYNAME library-name-pattern] [WITHCODE]
using System.Numerics;
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Scripting;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Describes the libraries.</summary>
internal sealed class FunctionListCommand(ServerScripts scripts)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "LIST",
        Arity = -2,
        Flags = CommandFlags.NoScript,
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Traits = CommandTraits.TakesLongArguments,
        Since = "7.0.0",
        Tips = ["nondeterministic_output_order"],
        MakeHandler = static parts => new FunctionListCommand(parts.Get<ServerScripts>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        bool withCode = false;
        int pattern = 0;
        for (int i = 2; i < context.Count; i++)
        {
            if (!withCode && context.Is(i, "WITHCODE"u8))
            {
                withCode = true;
            }
            else if (pattern == 0 && context.Is(i, "LIBRARYNAME"u8))
            {
                pattern = ++i;
                if (i < context.Count)
                    continue;
                context.Reply.WriteError("ERR library name argument was not given"u8);
                return;
            }
            else
            {
                ArgumentText.WriteError(ref context, "ERR Unknown argument " + ArgumentText.Printable(context[i]));
                return;
            }
        }

        List<FunctionLibrary> libraries = Find(ref context, pattern);
        context.Reply.WriteArray(libraries.Count);
        foreach (FunctionLibrary library in libraries)
            Write(ref context, library, withCode);
    }

    private List<FunctionLibrary> Find(ref CommandContext context, int pattern)
    {
        List<FunctionLibrary> found = [];
        foreach (FunctionLibrary library in scripts.Functions.Catalog.Libraries)
        {
            if (pattern == 0 || GlobPattern.IsMatch(context[pattern], Encoding.ASCII.GetBytes(library.Name), ignoreCase: true))
                found.Add(library);
        }

        return found;
    }

    private static void Write(ref CommandContext context, FunctionLibrary library, bool withCode)
    {
        context.Reply.WriteMap(withCode ? 4 : 3);
        context.Reply.WriteBulk("library_name"u8);
        ArgumentText.WriteBulk(ref context, library.Name);
        context.Reply.WriteBulk("engine"u8);
        ArgumentText.WriteBulk(ref context, FunctionCatalog.Engine);
        context.Reply.WriteBulk("functions"u8);
        context.Reply.WriteArray(library.Functions.Count);
        foreach (LibraryFunction function in library.Functions)
            Write(ref context, function);
        if (!withCode)
            return;
        context.Reply.WriteBulk("library_code"u8);
        context.Reply.WriteBulk(library.Source);
    }

    private static void Write(ref CommandContext context, LibraryFunction function)
    {
        context.Reply.WriteMap(3);
        context.Reply.WriteBulk("name"u8);
        ArgumentText.WriteBulk(ref context, function.Name);
        context.Reply.WriteBulk("description"u8);
        if (function.Description is { } description)
            ArgumentText.WriteBulk(ref context, description);
        else
            context.Reply.WriteNull();
        context.Reply.WriteBulk("flags"u8);
        context.Reply.WriteSet(BitOperations.PopCount((uint)function.Flags));
        foreach ((ScriptFlags flag, string name) in ScriptShebang.Flags)
        {
            if ((function.Flags & flag) != 0)
                context.Reply.WriteSimpleString(Encoding.ASCII.GetBytes(name));
        }
    }
}
