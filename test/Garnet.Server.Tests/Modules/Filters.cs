// Modules for tests that filter commands. Thread-safe.
using System.Collections.Concurrent;
using System.Text;
using Garnet.Modules;

namespace Garnet.Server.Tests.Modules;

/// <summary>Rewrites and rejects commands that begin with FILTER, and notes the others.</summary>
[Module("filters")]
public sealed class Filters : IModule
{
    private CommandToken _get = null!;
    private IModuleHost _host = null!;

    /// <summary>What filters have seen since the last look, of all servers; tests that use it do not run at once.</summary>
    public static ConcurrentQueue<string> Seen { get; } = new();

    public void Load(IModuleHost host)
    {
        _host = host;
        _get = host.FindCommand("GET");
        host.AddCommandFilter(
            static (ref FilteredCommand command) =>
            {
                if (command.Is(0, "FILTER"u8))
                    Change(ref command);
            }
        );
        host.AddCommandFilter(
            static (ref FilteredCommand command) => Note("own", ref command),
            CommandFilterFlags.SkipOwnCalls | CommandFilterFlags.SkipScripts
        );
        host.AddCommandFilter(static (ref FilteredCommand command) => Note("all", ref command));
    }

    [Command("FILTERS.CALL", CommandFlags.ReadOnly, Calls = CommandCalls.OnItsKeys)]
    public void Call(ref ModuleContext context, [Key] ReadOnlySpan<byte> key) =>
        context.Reply.WriteBulk(context.Call(_get, CallFlags.None, key).Bytes);

    [Command("FILTERS.LATER")]
    public void Later(ref ModuleContext context)
    {
        _host.Run(caller => caller.Call(_get, "later"u8));
        context.Reply.WriteOk();
    }

    [Command("FILTERS.ECHO")]
    public static void Echo(ref ModuleContext context, ArgumentList arguments)
    {
        context.Reply.WriteArray(arguments.Count);
        for (int i = 0; i < arguments.Count; i++)
            context.Reply.WriteBulk(arguments[i]);
    }

    private static void Note(string filter, ref FilteredCommand command)
    {
        string text = filter + " " + command.Source;
        for (int i = 0; i < command.Count; i++)
            text += " " + Encoding.Latin1.GetString(command[i]);
        Seen.Enqueue(text);
    }

    private static void Change(ref FilteredCommand command)
    {
        switch (Encoding.ASCII.GetString(command[1]))
        {
            case "reject":
                command.Reject("NOTTODAY said the filter\r\n+OK");
                break;
            case "throw":
                throw new InvalidDataException("in a filter");
            case "unknown":
                command.Replace(0, "nosuch"u8);
                break;
            case "long":
                command.Insert(2, new byte[1 << 20]);
                break;
            case "only":
                while (command.Count > 1)
                    command.RemoveAt(1);
                command.RemoveAt(0);
                break;
            case "become":
                ReadOnlySpan<byte> first = command[2];
                command.RemoveAt(0);
                command.RemoveAt(0);
                command.Insert(command.Count, first);
                command.Insert(0, "filters.echo"u8);
                command.Replace(1, "first"u8);
                break;
            default:
                command.RemoveAt(0);
                break;
        }
    }
}
