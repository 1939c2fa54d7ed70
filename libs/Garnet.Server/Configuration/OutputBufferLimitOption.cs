// Limits of unsent replies by class of clients: <class> <hard> <soft> <seconds> ... Immutable, any thread.
using System.Globalization;
using System.Runtime.CompilerServices;
using Garnet.Engine.Clients;

namespace Garnet.Server.Configuration;

/// <summary>The <c>client-output-buffer-limit</c> option; classes that are not named keep their limits.</summary>
internal sealed class OutputBufferLimitOption(
    string name,
    Func<GarnetOptions, OutputBufferLimits> get,
    Action<GarnetOptions, OutputBufferLimits> set,
    [CallerArgumentExpression(nameof(get))] string getter = ""
) : OptionDescriptor(name, getter)
{
    /// <inheritdoc/>
    public override bool TakesSeveral => true;

    /// <inheritdoc/>
    public override bool MayRepeat => true;

    /// <inheritdoc/>
    public override string Allowed => "<normal|replica|pubsub> <hard size> <soft size> <soft seconds> ...";

    /// <inheritdoc/>
    public override string? TrySet(GarnetOptions options, IReadOnlyList<string> arguments)
    {
        // CONFIG SET with an empty text names no class.
        if (arguments is [""])
            return null;
        if (arguments.Count % 4 != 0)
            return "Wrong number of arguments in buffer limit configuration.";
        OutputBufferLimits limits = get(options);
        for (int i = 0; i < arguments.Count; i += 4)
        {
            if (!OutputClassName.TryParse(arguments[i], out OutputClass outputClass))
                return "Invalid client class specified in buffer limit configuration.";
            if (
                !MemorySize.TryParse(arguments[i + 1], out ulong hard)
                || hard > long.MaxValue
                || !MemorySize.TryParse(arguments[i + 2], out ulong soft)
                || soft > long.MaxValue
                || !int.TryParse(arguments[i + 3], NumberStyles.None, CultureInfo.InvariantCulture, out int seconds)
            )
            {
                return "Error in hard, soft or soft_seconds setting in buffer limit configuration.";
            }

            limits = limits.With(outputClass, new OutputBufferLimit((long)hard, (long)soft, seconds));
        }
        set(options, limits);
        return null;
    }

    /// <summary>The value as shown by CONFIG GET; clients expect the older word for replicas there.</summary>
    public override string Format(GarnetOptions options)
    {
        OutputBufferLimits limits = get(options);
        return string.Join(' ', Text("normal", limits.Normal), Text("slave", limits.Replica), Text("pubsub", limits.PubSub));

        static string Text(string word, OutputBufferLimit limit) =>
            string.Create(CultureInfo.InvariantCulture, $"{word} {limit.HardBytes} {limit.SoftBytes} {limit.SoftSeconds}");
    }

    /// <inheritdoc/>
    public override IEnumerable<(string Line, bool Forced)> Lines(GarnetOptions options, GarnetOptions defaults)
    {
        (OutputBufferLimits limits, OutputBufferLimits initial) = (get(options), get(defaults));
        return OutputClassName.All.Select(each => (Text(OutputClassName.Of(each), limits.Of(each)), limits.Of(each) != initial.Of(each)));

        string Text(string word, OutputBufferLimit limit) =>
            string.Create(
                CultureInfo.InvariantCulture,
                $"{Name} {word} {MemorySize.Format(limit.HardBytes)} {MemorySize.Format(limit.SoftBytes)} {limit.SoftSeconds}"
            );
    }
}
