// A request in a command filter. Lives on the stack of one call.
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Modules.Running;
using Garnet.Server.Modules;

namespace Garnet.Modules;

/// <summary>
/// The arguments of a request whose command has not been looked up yet: it may be unknown, have the wrong number of arguments, or be
/// forbidden to the client, who may not have logged in. What the filter leaves is checked and executed as if it had been sent like that.
/// </summary>
public readonly ref struct FilteredCommand
{
    private readonly ref byte _context;
    private readonly FilteredRequest _request;

    internal FilteredCommand(ref CommandContext context, FilteredRequest request)
    {
        _context = ref ContextReference.ToBytes(ref context);
        _request = request;
    }

    /// <summary>The number of arguments, including the command's name.</summary>
    public int Count => Inner.Count;

    /// <summary>The bytes of an argument; 0 is the command's name. Valid until the filter returns, even if arguments are changed.</summary>
    /// <exception cref="IndexOutOfRangeException">There is no such argument.</exception>
    public ReadOnlySpan<byte> this[int index] => Inner[index];

    /// <summary>The client on whose behalf the command is called.</summary>
    public CallingClient Client => new(ref _context);

    /// <summary>Who calls the command.</summary>
    public CommandSource Source => (CommandSource)_request.Origin;

    private ref CommandContext Inner => ref ContextReference.Of(ref _context);

    /// <summary>
    /// Compares an argument with a word of upper-case ASCII letters, in any letter case; false if there is no such argument.
    /// </summary>
    public bool Is(int index, scoped ReadOnlySpan<byte> upperCaseWord) =>
        index < Count && Ascii.EqualsIgnoreCase(this[index], upperCaseWord);

    /// <summary>Puts another argument in the place of one; 0 makes it another command.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such argument.</exception>
    /// <exception cref="InvalidOperationException">
    /// The argument would be longer than proto-max-bulk-len, or the request than client-query-buffer-limit or 1 GiB; as for every change.
    /// </exception>
    public void Replace(int index, scoped ReadOnlySpan<byte> argument) => _request.Replace(ref Inner, index, KeyRules.Unscoped(argument));

    /// <summary>Adds an argument before another one, or after the last.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The index is above <see cref="Count"/>.</exception>
    public void Insert(int index, scoped ReadOnlySpan<byte> argument) => _request.Insert(ref Inner, index, KeyRules.Unscoped(argument));

    /// <summary>Takes an argument out.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such argument, or it is the only one.</exception>
    public void RemoveAt(int index) => _request.RemoveAt(ref Inner, index);

    /// <summary>
    /// Answers the request with an error, and neither executes it nor shows it to further filters; an open transaction is aborted.
    /// </summary>
    /// <param name="error">The error, its code first, as in <c>ERR not today</c>; line breaks become spaces.</param>
    /// <exception cref="ArgumentException">The error is empty.</exception>
    public void Reject(string error)
    {
        ArgumentException.ThrowIfNullOrEmpty(error);
        _request.Error = Encoding.UTF8.GetBytes(error);
    }
}
