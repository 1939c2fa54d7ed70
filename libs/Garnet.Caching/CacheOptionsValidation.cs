// Checks a cache's settings before it is made. Stateless.
using Microsoft.Extensions.Options;

namespace Garnet.Caching;

/// <summary>Tells every problem at once, with the name of the setting.</summary>
internal sealed class CacheOptionsValidation<TOptions>(string registration) : IValidateOptions<TOptions>
    where TOptions : GarnetCacheOptions
{
    public ValidateOptionsResult Validate(string? name, TOptions options)
    {
        string[] problems = [.. options.Problems().Select(problem => $"{registration}: {problem}")];
        return problems.Length == 0 ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail(problems);
    }
}
