// A string that is read without a latch. Lives on the stack of one call.
using Garnet.Engine.Execution;
using Garnet.Modules.Running;
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Modules;

/// <summary>
/// A key that holds a string, to be read without latching it: other clients may change it between two reads. For commands that read one
/// value; a command that reads several which belong together uses <see cref="StringKey"/>.
/// </summary>
public readonly ref struct ReadOnlyString
{
    private readonly ref byte _context;

    internal ReadOnlyString(ref byte context, int argument)
    {
        _context = ref context;
        Argument = argument;
    }

    internal int Argument { get; }

    /// <summary>The key's name.</summary>
    public ReadOnlySpan<byte> Name => ContextReference.Of(ref _context)[Argument];

    /// <summary>Copies the value, if the destination is large enough.</summary>
    /// <param name="destination">Receives the value.</param>
    /// <param name="length">Length of the value in bytes, also when it does not fit.</param>
    public ReadResult TryCopy(scoped Span<byte> destination, out int length)
    {
        ref CommandContext context = ref ContextReference.Of(ref _context);
        StringCopyReader reader = new(destination);
        ReadOutcome outcome = context.Read(Argument, RecordType.String, ref reader);
        length = outcome == ReadOutcome.Found ? reader.Length : 0;
        return outcome switch
        {
            ReadOutcome.Found => reader.Length <= destination.Length ? ReadResult.Found : ReadResult.Unfit,
            ReadOutcome.WrongType => ReadResult.WrongType,
            _ => ReadResult.Missing,
        };
    }

    /// <summary>Reads the value as an integer.</summary>
    public ReadResult TryGetInteger(out long value)
    {
        Span<byte> digits = stackalloc byte[IntegerText.MaxLength];
        ReadResult result = TryCopy(digits, out int length);
        value = 0;
        return result != ReadResult.Found || IntegerText.TryParse(digits[..length], out value) ? result : ReadResult.Unfit;
    }
}
