// Scripts with named parameters. Stateless; any thread.
using System.Diagnostics.CodeAnalysis;
using Garnet.Client;
using Garnet.Hosting.InProcess;

namespace Garnet;

/// <summary>Lua scripts over <see cref="IGarnet"/>.</summary>
public static class GarnetScriptExtensions
{
    // The whole reply: a script that ran may itself return an error with this code, and must not run a second time.
    private const string NoScript = "NOSCRIPT No matching script.";

    /// <summary>Runs a script without parameters.</summary>
    /// <inheritdoc cref="Eval{T}(IGarnet, GarnetScript, T)"/>
    public static RespValue Eval(this IGarnet garnet, GarnetScript script) => garnet.Eval(script, new object());

    /// <summary>Runs a script without parameters, without occupying a thread while it waits.</summary>
    /// <inheritdoc cref="Eval{T}(IGarnet, GarnetScript, T)"/>
    public static ValueTask<RespValue> EvalAsync(this IGarnet garnet, GarnetScript script, CancellationToken cancellationToken = default) =>
        garnet.EvalAsync(script, new object(), cancellationToken);

    /// <summary>EVALSHA, and EVAL if the server does not have the script: runs a script and returns its result.</summary>
    /// <param name="garnet">The server.</param>
    /// <param name="script">The script.</param>
    /// <param name="parameters">
    /// An object with a property for each name in the script: a <see cref="GarnetKey"/>, text, bytes, a number or a boolean. The
    /// declared type counts: an anonymous object is passed as such or as <c>var</c>, not as <see cref="object"/>.
    /// </param>
    /// <exception cref="ArgumentException">A parameter has no property, or its value is null or of another type.</exception>
    /// <exception cref="GarnetCommandException">The script failed, or it cannot be compiled.</exception>
    public static RespValue Eval<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] T>(
        this IGarnet garnet,
        GarnetScript script,
        T parameters
    )
    {
        ArgumentNullException.ThrowIfNull(garnet);
        using ScriptArguments arguments = ScriptValues.Of(script, parameters, out ScriptForm form);
        try
        {
            return garnet.Execute("EVALSHA", arguments.Values);
        }
        catch (GarnetCommandException e) when (e.Message == NoScript)
        {
            arguments.Values[0] = form.Text;
            return garnet.Execute("EVAL", arguments.Values);
        }
    }

    /// <summary>As <see cref="Eval{T}(IGarnet, GarnetScript, T)"/>, without occupying a thread while it waits.</summary>
    /// <inheritdoc cref="Eval{T}(IGarnet, GarnetScript, T)"/>
    public static async ValueTask<RespValue> EvalAsync<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] T>(
        this IGarnet garnet,
        GarnetScript script,
        T parameters,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(garnet);
        using ScriptArguments given = ScriptValues.Of(script, parameters, out ScriptForm form);
        ReadOnlyMemory<byte>[] arguments = given.Values.ToArray();
        try
        {
            return await garnet.ExecuteAsync("EVALSHA", arguments, cancellationToken).ConfigureAwait(false);
        }
        catch (GarnetCommandException e) when (e.Message == NoScript)
        {
            arguments[0] = form.Text;
            return await garnet.ExecuteAsync("EVAL", arguments, cancellationToken).ConfigureAwait(false);
        }
    }
}
