// A request on its way through the filters of modules. One for each caller; used by its thread.
using Garnet.Engine.Execution;

namespace Garnet.Server.Modules;

/// <summary>
/// What filters have made of a request. A request that arrived on a connection is copied when it is first changed; one that a script or a
/// module makes is changed where it is. The result is kept while the request waits, so that it passes the filters once.
/// </summary>
internal sealed class FilteredRequest
{
    private const long MaxBytes = 1L << 30;
    private const long NotKept = -1;

    private readonly bool _isInPlace;
    private ScopedRequest? _arguments;
    private long _keptFor = NotKept;

    /// <summary>For requests whose arguments are those of a connection.</summary>
    public FilteredRequest() { }

    /// <summary>For requests that are made here.</summary>
    public FilteredRequest(ScopedRequest request)
    {
        _arguments = request;
        _isInPlace = true;
    }

    /// <summary>Who makes the request.</summary>
    public CommandOrigin Origin { get; private set; }

    /// <summary>Whether a filter has changed it.</summary>
    public bool IsChanged { get; private set; }

    /// <summary>The error with which a filter has rejected it; null when none has.</summary>
    public byte[]? Error { get; set; }

    /// <summary>The next request begins.</summary>
    public void Begin(CommandOrigin origin)
    {
        Origin = origin;
        IsChanged = false;
        Error = null;
    }

    /// <summary>The request waits, and will be admitted again; by the same filters if their generation is the same then.</summary>
    public void Keep(long generation) => _keptFor = generation;

    /// <summary>The request that waits will not be admitted again.</summary>
    public void Forget() => _keptFor = NotKept;

    /// <summary>Whether it has passed these filters before it waited; gives the context what they have made of it.</summary>
    public bool TryRestore(ref CommandContext context, long generation)
    {
        bool isKept = _keptFor == generation;
        _keptFor = NotKept;
        if (isKept && IsChanged)
            Load(ref context, _arguments!);
        return isKept;
    }

    /// <summary>Puts another argument in the place of one.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such argument.</exception>
    /// <exception cref="InvalidOperationException">The request would be too long; as for every change.</exception>
    public void Replace(ref CommandContext context, int index, ReadOnlySpan<byte> argument)
    {
        CheckIndex(index, context.Count);
        ScopedRequest arguments = BeginChange(ref context, argument.Length);
        arguments.Replace(index, argument);
        Load(ref context, arguments);
    }

    /// <summary>Adds an argument before another one, or after the last.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such argument.</exception>
    public void Insert(ref CommandContext context, int index, ReadOnlySpan<byte> argument)
    {
        CheckIndex(index, context.Count + 1);
        ScopedRequest arguments = BeginChange(ref context, argument.Length);
        arguments.Insert(index, argument);
        Load(ref context, arguments);
    }

    /// <summary>Takes an argument out.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such argument, or it is the only one.</exception>
    public void RemoveAt(ref CommandContext context, int index)
    {
        CheckIndex(index, context.Count == 1 ? 0 : context.Count);
        ScopedRequest arguments = BeginChange(ref context, 0);
        arguments.RemoveAt(index);
        Load(ref context, arguments);
    }

    private static void CheckIndex(int index, int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(index);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(index, count);
    }

    private static void Load(ref CommandContext context, ScopedRequest arguments)
    {
        arguments.LoadInto(ref context);
        context.RequestBytes = Math.Max(context.RequestBytes, arguments.Bytes);
    }

    private ScopedRequest BeginChange(ref CommandContext context, int addedBytes)
    {
        bool isCopied = _isInPlace || IsChanged;
        long bytes = addedBytes + (isCopied ? _arguments!.Bytes : context.ArgumentBytes);
        if (addedBytes > context.Settings.MaxStringBytes || bytes > Math.Min(context.Settings.MaxRequestBytes, MaxBytes))
            throw new InvalidOperationException("The changed request is too long.");
        ScopedRequest arguments = _arguments ??= new ScopedRequest();
        if (!isCopied)
        {
            arguments.Clear();
            for (int i = 0; i < context.Count; i++)
                arguments.Append(context[i]);
        }

        IsChanged = true;
        return arguments;
    }
}
