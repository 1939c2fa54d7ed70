// The base of the command families: emits commands, occasionally with wrong arity or order. One thread.
namespace Garnet.EndToEnd.Tests.Differential.Generators;

/// <summary>Generates seeded random histories of one command family.</summary>
internal abstract class CommandGenerator(ArgumentSource source, Dialect dialect)
{
    private List<Command> _commands = [];

    /// <summary>The source of arguments.</summary>
    protected ArgumentSource Source => source;

    /// <summary>The reference whose commands are used.</summary>
    protected Dialect Dialect => dialect;

    /// <summary>Whether commands that only Valkey has may be used.</summary>
    protected bool IsValkey => dialect == Dialect.Valkey91;

    /// <summary>Number of connections that the family's histories use.</summary>
    public virtual int Connections => 1;

    /// <summary>The connection for the next emitted command.</summary>
    protected int Connection { get; set; }

    /// <summary>Generates at least <paramref name="count"/> commands.</summary>
    public List<Command> Generate(int count)
    {
        _commands = new List<Command>(count + 8);
        while (_commands.Count < count)
            Next();
        Finish();
        return _commands;
    }

    /// <summary>Emits the next command, or several related ones.</summary>
    public abstract void Next();

    /// <summary>Emits what a server needs before its next history.</summary>
    protected virtual void Finish() { }

    /// <summary>From now on, emits into the history of another generator.</summary>
    public void Join(CommandGenerator other) => _commands = other._commands;

    /// <summary>Emits a command; arguments are text, bytes, numbers or sequences of bytes.</summary>
    protected void Emit(string name, params ReadOnlySpan<object> arguments) => Add(Flatten(name, arguments), mayReorder: true);

    /// <summary>As <see cref="Emit"/>, for commands that would expire keys soon or wait if their arguments were swapped.</summary>
    protected void EmitInOrder(string name, params ReadOnlySpan<object> arguments) => Add(Flatten(name, arguments), mayReorder: false);

    /// <summary>Emits a command exactly as given.</summary>
    protected void EmitExactly(string name, params ReadOnlySpan<object> arguments) =>
        _commands.Add(new Command(Connection, [.. Flatten(name, arguments)]));

    private static void Append(List<byte[]> list, object argument)
    {
        switch (argument)
        {
            case byte[] bytes:
                list.Add(bytes);
                break;
            case string text:
                list.Add(ArgumentSource.Bytes(text));
                break;
            case IEnumerable<byte[]> many:
                list.AddRange(many);
                break;
            case object[] many:
                foreach (object each in many)
                    Append(list, each);
                break;
            default:
                list.Add(ArgumentSource.Bytes(FormattableString.Invariant($"{argument}")));
                break;
        }
    }

    private List<byte[]> Flatten(string name, ReadOnlySpan<object> arguments)
    {
        var list = new List<byte[]>(arguments.Length + 1) { name[0] == '@' ? ArgumentSource.Bytes(name) : source.Name(name) };
        foreach (object argument in arguments)
            Append(list, argument);
        return list;
    }

    private void Add(List<byte[]> arguments, bool mayReorder)
    {
        switch (source.Random.Next(60))
        {
            case 0 or 1 when arguments.Count > 1:
                arguments.RemoveAt(arguments.Count - 1);
                break;
            case 2 or 3:
                // After a blocking command's arguments, a number would be its timeout.
                byte[] value = source.Value();
                arguments.Add(mayReorder ? value : [.. "x"u8, .. value]);
                break;
            case 4 when mayReorder && arguments.Count > 2:
                int from = source.Random.Next(1, arguments.Count);
                int to = source.Random.Next(1, arguments.Count);
                (arguments[from], arguments[to]) = (arguments[to], arguments[from]);
                break;
            case 5 when mayReorder && arguments.Count > 1:
                arguments.Add(arguments[source.Random.Next(1, arguments.Count)]);
                break;
        }

        _commands.Add(new Command(Connection, [.. arguments]));
    }
}
